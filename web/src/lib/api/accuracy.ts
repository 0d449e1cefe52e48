import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type AccuracyRun = Schemas["AccuracyRunOut"];
export type AccuracyReport = Schemas["AccuracyReportOut"];
export type AccuracyError = Schemas["AccuracyErrorOut"];
export type AccuracyComparison = Schemas["AccuracyComparisonOut"];
export type FieldScore = Schemas["FieldScoreOut"];
export type Measure = Schemas["MeasureIn"];
export type MeasureEstimate = Schemas["MeasureEstimateOut"];

const LOOK_EVERY_MS = 1_000;
const RUNS_SHOWN = 50;
const ERRORS_SHOWN = 100;

export function isMeasuring(run: Pick<AccuracyRun, "state"> | null | undefined): boolean {
  return run?.state === "running" || run?.state === "waiting";
}

/** What was measured of a prompt, newest first; followed while something is under way. */
export function useAccuracyRuns(promptId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.accuracy(id), "runs", promptId],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/accuracy/runs", {
          params: { path: { organization_id: id }, query: { prompt_id: promptId, limit: RUNS_SHOWN } },
        }),
      ),
    enabled: promptId !== "",
    refetchInterval: ({ state }) => (state.data?.runs.some(isMeasuring) ? LOOK_EVERY_MS : false),
  });
}

/** One run with its score by field; followed until it ends. */
export function useAccuracyReport(runId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.accuracy(id), "run", runId],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/accuracy/runs/{run_id}", {
          params: { path: { organization_id: id, run_id: runId ?? "" } },
        }),
      ),
    enabled: runId !== null,
    refetchInterval: ({ state }) => (isMeasuring(state.data?.run) ? LOOK_EVERY_MS : false),
  });
}

/** What a run got wrong of one field. */
export function useAccuracyErrors(runId: string, field: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.accuracy(id), "errors", runId, field],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/accuracy/runs/{run_id}/errors", {
          params: { path: { organization_id: id, run_id: runId }, query: { field, limit: ERRORS_SHOWN } },
        }),
      ),
  });
}

/** What got better and worse from one run to another. */
export function useComparison(before: string | null, after: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.accuracy(id), "comparison", before, after],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/accuracy/runs/{run_id}/compare/{other_id}", {
          params: { path: { organization_id: id, run_id: before ?? "", other_id: after ?? "" } },
        }),
      ),
    enabled: before !== null && after !== null && before !== after,
  });
}

/** How many verified documents a run would be about, and what it would cost. */
export function useMeasureEstimate(wanted: Measure, enabled = true) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.accuracy(id), "estimate", wanted],
    queryFn: () => ask(api.POST("/v0/orgs/{organization_id}/accuracy/estimate", { params: { path: { organization_id: id } }, body: wanted })),
    enabled: enabled && wanted.prompt_id !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
}

/** Starts and stops measuring. */
export function useMeasuring() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.accuracy(id) });
  const start = useMutation({
    mutationFn: (wanted: Measure) =>
      ask(api.POST("/v0/orgs/{organization_id}/accuracy/runs", { params: { path: { organization_id: id } }, body: wanted })),
    onSuccess: refresh,
  });
  const stop = useMutation({
    mutationFn: (runId: string) =>
      ask(api.POST("/v0/orgs/{organization_id}/accuracy/runs/{run_id}/stop", { params: { path: { organization_id: id, run_id: runId } } })),
    onSuccess: refresh,
  });
  return { start, stop };
}

export type StraightThrough = Schemas["StraightThroughOut"];

/** What of a prompt may go on without a person, as measured on what people verified. */
export function useStraightThrough(promptId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id, prompt_id: promptId } };
  const queryKey = [...keys.accuracy(id), "straight through", promptId];
  const query = useQuery({
    queryKey,
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/review/{prompt_id}/straight-through", { params })),
    enabled: promptId !== "",
  });
  const decide = useMutation({
    mutationFn: (body: Schemas["StraightThroughIn"]) =>
      ask(api.PUT("/v0/orgs/{organization_id}/review/{prompt_id}/straight-through", { params, body })),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
  });
  return { query, decide };
}
