import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";

import type { TagValues } from "./TagForm";

export function useChangeTag() {
  const refresh = useRefreshTags();
  const { id: organizationId } = useOrganization();
  return useMutation({
    mutationFn: ({ id, values }: { id: string; values: TagValues }) =>
      ask(
        api.PUT("/v0/orgs/{organization_id}/tags/{tag_id}", {
          params: { path: { organization_id: organizationId, tag_id: id } },
          body: values,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDeleteTag() {
  const refresh = useRefreshTags();
  const { id: organizationId } = useOrganization();
  return useMutation({
    mutationFn: (id: string) =>
      ask(
        api.DELETE("/v0/orgs/{organization_id}/tags/{tag_id}", {
          params: { path: { organization_id: organizationId, tag_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
}

function useRefreshTags() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keys.tags(id) });
}
