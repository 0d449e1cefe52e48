import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { Result } from "@/lib/api/results";
import { noteCorrection } from "@/lib/corrections";
import { useOrganization } from "@/lib/organization";
import type { PointedPlace } from "@/lib/pointing";

export type Prompt = Schemas["PromptOut"];
export const DEFAULT_PROMPT = "default";

/** One section: a prompt that is for this document, a result, or both. */
export interface Section {
  promptRevid: string;
  promptId: string;
  name: string;
  result: Result | null;
  /** The newest version of the prompt, when the result was made by an older one. */
  newer: Prompt | null;
}

/** The default prompt first, then the prompts that share a tag with the document, then results of others. */
export function sectionsOf(results: readonly Result[], prompts: readonly Prompt[], hasDefault: boolean): Section[] {
  const newest = new Map<string, Result>();
  for (const result of results) {
    const other = newest.get(result.prompt_id);
    if (!other || other.prompt_version < result.prompt_version) newest.set(result.prompt_id, result);
  }
  const sections: Section[] = [];
  const byDefault = newest.get(DEFAULT_PROMPT);
  if (byDefault || hasDefault) {
    sections.push({ promptRevid: DEFAULT_PROMPT, promptId: DEFAULT_PROMPT, name: byDefault?.prompt_name ?? "Document Summary", result: byDefault ?? null, newer: null });
  }
  for (const prompt of prompts) {
    const result = newest.get(prompt.prompt_id) ?? null;
    const newer = result && result.prompt_version < prompt.prompt_version ? prompt : null;
    sections.push({ promptRevid: result?.prompt_revid ?? prompt.prompt_revid, promptId: prompt.prompt_id, name: prompt.name, result, newer });
  }
  const known = new Set([DEFAULT_PROMPT, ...prompts.map((prompt) => prompt.prompt_id)]);
  for (const result of newest.values()) {
    if (!known.has(result.prompt_id)) {
      sections.push({ promptRevid: result.prompt_revid, promptId: result.prompt_id, name: result.prompt_name, result, newer: null });
    }
  }
  return sections;
}

/** Prompts that share a tag with the document; all of them when no document is given. */
export function usePrompts(documentId?: string, tagIds?: readonly string[]) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.prompts(id), "of", documentId ?? "all", tagIds ?? []],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/prompts", {
          params: { path: { organization_id: id }, query: { document_id: documentId, limit: 100 } },
        }),
      );
      return found.prompts;
    },
  });
}

/** Changes to one result. Each answer is the whole result, which takes the place of the old one at once. */
export function useResultChanges(documentId: string, promptRevid: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id, document_id: documentId }, query: { prompt_revid: promptRevid } };
  const accept = (changed: Schemas["ResultOut"]): void => {
    queryClient.setQueriesData<Result[]>({ queryKey: keys.results(id, documentId) }, (all) =>
      all?.map((result) => (result.result_id === changed.result_id ? { ...result, ...changed } : result)),
    );
    void queryClient.invalidateQueries({ queryKey: [id, "revisions", documentId] });
    void queryClient.invalidateQueries({ queryKey: keys.documents(id) });
  };
  const edit = useMutation({
    mutationFn: ({ places = [], ...body }: { path: string; value: unknown; places?: PointedPlace[] }) =>
      ask(api.PATCH("/v0/orgs/{organization_id}/llm/result/{document_id}", { params, body: { ...body, places } })),
    onSuccess: (changed, { path, value }) => {
      if (value !== null) noteCorrection({ documentId, promptRevid, path });
      accept(changed);
    },
  });
  const verify = useMutation({
    mutationFn: (body: { path: string; verified: boolean }) =>
      ask(api.POST("/v0/orgs/{organization_id}/llm/result/{document_id}/verify", { params, body })),
    onSuccess: accept,
  });
  const verifyAll = useMutation({
    mutationFn: (body: { data: Record<string, unknown>; verified: boolean }) =>
      ask(
        api.PUT("/v0/orgs/{organization_id}/llm/result/{document_id}", {
          params,
          body: { updated_llm_result: body.data, is_verified: body.verified },
        }),
      ),
    onSuccess: accept,
  });
  return { edit, verify, verifyAll };
}
