import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";
import type { ProposalGroup } from "./proposals";

export type AlikeSheets = Schemas["AlikeOut"];

/** Sheets, and proposals that would become sheets, that have most of their fields in common. */
export function useAlikeSheets() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.sheets(id), "alike"],
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/sheet_merges/alike", { params: { path: { organization_id: id } } }))).alike,
  });
}

/** The fields that the merged sheet would have. */
export function useMergePreview({ into, source }: AlikeSheets, enabled: boolean) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "merge preview", into.prompt_id, source.prompt_id],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/sheet_merges/preview", {
          params: { path: { organization_id: id }, query: { prompt_id: into.prompt_id, source_prompt_id: source.prompt_id } },
        }),
      ),
    enabled,
  });
}

/** What was merged into a sheet and can be undone. */
export function useMergesInto(promptId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.sheets(id), promptId, "merges"],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/sheet_merges", { params: { path: { organization_id: id }, query: { prompt_id: promptId } } }))).merges,
    enabled: promptId !== "default",
  });
}

/** Merges two sheets, and undoes that. Of proposals, the documents are accepted first. */
export function useMerging() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = { organization_id: id };
  const onSettled = (): Promise<unknown> =>
    Promise.all([keys.sheets(id), keys.proposals(id), keys.prompts(id), keys.review(id), keys.documents(id)].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const merge = useMutation({
    mutationFn: async ({ alike: { into, source }, groups }: { alike: AlikeSheets; groups: readonly ProposalGroup[] }) => {
      const document_ids = groups.flatMap(({ documents }) => documents.map((document) => document.document_id));
      if (document_ids.length) {
        const { documents } = await ask(api.POST("/v0/orgs/{organization_id}/auto_create/accept", { params: { path }, body: { document_ids, tag_ids: [] } }));
        const failed = documents.find(({ error }) => error !== null);
        if (failed) throw new Error(failed.error ?? "");
      }
      return ask(api.POST("/v0/orgs/{organization_id}/sheet_merges", { params: { path }, body: { prompt_id: into.prompt_id, source_prompt_id: source.prompt_id } }));
    },
    onSettled,
  });
  const undo = useMutation({
    mutationFn: (merge_id: string) => ask(api.POST("/v0/orgs/{organization_id}/sheet_merges/{merge_id}/undo", { params: { path: { ...path, merge_id } } })),
    onSettled,
  });
  return { merge, undo };
}
