import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type PromptRun = Schemas["PromptRunOut"];
export type RunEstimate = Schemas["EstimateOut"];
export type RunSelection = Partial<Schemas["SelectionIn"]>;

const LOOK_EVERY_MS = 1_000;

export function isUnderWay(run: PromptRun | null | undefined): boolean {
  return run?.state === "running" || run?.state === "waiting";
}

/** What a run would be about and cost; asked while it is shown. */
export function useRunEstimate(promptId: string, selection: RunSelection, enabled: boolean) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.promptRuns(id, promptId), "estimate", selection],
    queryFn: () =>
      ask(
        api.POST("/v0/orgs/{organization_id}/prompts/{prompt_id}/runs/estimate", {
          params: { path: { organization_id: id, prompt_id: promptId } },
          body: { mode: "missing", ...selection },
        }),
      ),
    enabled: enabled && promptId !== "",
    staleTime: 0,
  });
}

/** The newest run of a prompt, followed while it is under way; sheets and documents are fetched again as it goes on. */
export function useNewestRun(promptId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: [...keys.promptRuns(id, promptId), "newest"],
    queryFn: async () => {
      const params = { path: { organization_id: id, prompt_id: promptId }, query: { limit: 1 } };
      const { runs } = await ask(api.GET("/v0/orgs/{organization_id}/prompts/{prompt_id}/runs", { params }));
      return runs[0] ?? null;
    },
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  });
  const { done, state } = query.data ?? {};
  useEffect(() => {
    if (done === undefined) return;
    void queryClient.invalidateQueries({ queryKey: keys.sheets(id) });
    void queryClient.invalidateQueries({ queryKey: keys.documents(id) });
  }, [done, state, id, queryClient]);
  return query;
}

/** Starts and stops runs of a prompt. */
export function useRunChanges(promptId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = { organization_id: id, prompt_id: promptId };
  const show = (run: PromptRun): void => {
    queryClient.setQueryData([...keys.promptRuns(id, promptId), "newest"], run);
    void queryClient.invalidateQueries({ queryKey: keys.promptRuns(id, promptId) });
  };
  const start = useMutation({
    mutationFn: (selection: RunSelection) =>
      ask(api.POST("/v0/orgs/{organization_id}/prompts/{prompt_id}/runs", { params: { path }, body: { mode: "missing", ...selection } })),
    onSuccess: show,
  });
  const stop = useMutation({
    mutationFn: (runId: string) =>
      ask(api.POST("/v0/orgs/{organization_id}/prompts/{prompt_id}/runs/{run_id}/stop", { params: { path: { ...path, run_id: runId } } })),
    onSuccess: show,
  });
  return { start, stop };
}
