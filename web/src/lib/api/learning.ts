import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type LearntFrom = Schemas["LearntFromOut"];

/** What a prompt learnt from verified documents, those in doubt first. */
export function useLearnt(promptId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.learning(id), promptId],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/learning/{prompt_id}", { params: { path: { organization_id: id, prompt_id: promptId } } }))).documents,
  });
}

/** Whether the organisation learns from what it verifies. */
export function useLearningSwitch() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id } };
  const queryKey = [...keys.learning(id), "switch"];
  const query = useQuery({ queryKey, queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/learning", { params })) });
  const set = useMutation({
    mutationFn: (enabled: boolean) => ask(api.PUT("/v0/orgs/{organization_id}/learning", { params, body: { enabled } })),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
  });
  return { query, set };
}

/** Forgets what was learnt: from one document for a prompt, or everything. */
export function useForgetting(promptId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const onSuccess = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.learning(id) });
  const one = useMutation({
    mutationFn: (documentId: string) =>
      ask(
        api.DELETE("/v0/orgs/{organization_id}/learning/{prompt_id}/documents/{document_id}", {
          params: { path: { organization_id: id, prompt_id: promptId, document_id: documentId } },
        }),
      ),
    onSuccess,
  });
  const all = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/orgs/{organization_id}/learning", { params: { path: { organization_id: id } } })),
    onSuccess,
  });
  return { one, all };
}
