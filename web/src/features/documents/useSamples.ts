import { useMutation, useQuery } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";

/** Documents of ours to try things with, and the way to have one among one's own. */
export function useSamples(autoCreate: boolean, onAdded: (documentId: string) => void) {
  const { id } = useOrganization();
  const path = { organization_id: id };
  const list = useQuery({
    queryKey: [id, "samples"],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/samples", { params: { path } })),
    staleTime: Infinity,
  });
  const add = useMutation({
    mutationFn: (sample: string) =>
      ask(api.POST("/v0/orgs/{organization_id}/samples/{sample}", { params: { path: { ...path, sample }, query: { auto_create: autoCreate } } })),
    onSuccess: ({ document }) => onAdded(document.document_id),
  });
  return { list, samples: list.data?.samples ?? [], add };
}
