import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type { Correction } from "@/lib/corrections";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type SpreadChange = Schemas["SpreadChangeOut"];

/** What a correction would change in documents that look like the corrected one. */
export function useSpreadPreview({ documentId, promptRevid, path }: Correction) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.learning(id), "spread", documentId, promptRevid, path],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}/spread", {
          params: { path: { organization_id: id, document_id: documentId }, query: { prompt_revid: promptRevid, path } },
        }),
      ),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Applies a correction to the documents of the preview, and undoes that. */
export function useSpreading({ documentId, promptRevid, path }: Correction) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const refresh = async (): Promise<void> => {
    void queryClient.invalidateQueries({ queryKey: [id, "results"] });
    void queryClient.invalidateQueries({ queryKey: keys.documents(id) });
    await queryClient.invalidateQueries({ queryKey: keys.sheets(id) });
  };
  const apply = useMutation({
    mutationFn: (changes: readonly SpreadChange[]) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/llm/result/{document_id}/spread", {
          params: { path: { organization_id: id, document_id: documentId }, query: { prompt_revid: promptRevid } },
          body: { path, seen: Object.fromEntries(changes.map((change) => [change.document_id, change.revision])) },
        }),
      ),
    onSuccess: refresh,
  });
  const undo = useMutation({
    mutationFn: (spreadId: string) =>
      ask(api.POST("/v0/orgs/{organization_id}/learning/spreads/{spread_id}/undo", { params: { path: { organization_id: id, spread_id: spreadId } } })),
    onSuccess: refresh,
  });
  return { apply, undo };
}

/** What the corrections of a prompt's results were worth to other documents. */
export function useEarned(promptId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.sheets(id), promptId, "earned"],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/learning/{prompt_id}/spreads", { params: { path: { organization_id: id, prompt_id: promptId } } })),
  });
}
