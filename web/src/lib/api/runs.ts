import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

const LOOK_EVERY_MS = 700;

/** Run one prompt on one document as a job, watch it, and fetch what came of it. */
export function usePromptRun() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: async ({ documentId, promptRevid }: { documentId: string; promptRevid: string }) => {
      const queued = await ask(
        api.POST("/v0/orgs/{organization_id}/llm/run/{document_id}", {
          params: {
            path: { organization_id: id, document_id: documentId },
            query: { prompt_revid: promptRevid, force: true, background: true },
          },
        }),
      );
      return { documentId, promptRevid, jobId: queued.job_id ?? "" };
    },
  });
  const current = start.data ?? null;
  const job = useQuery({
    queryKey: [id, "jobs", current?.jobId],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/jobs/{job_id}", {
          params: { path: { organization_id: id, job_id: current?.jobId ?? "" } },
        }),
      ),
    enabled: current !== null,
    refetchInterval: ({ state }) => (isOver(state.data?.state) ? false : LOOK_EVERY_MS),
  });
  const isDone = current !== null && job.data?.state === "done";
  const result = useQuery({
    queryKey: [...keys.results(id, current?.documentId ?? ""), "run", current?.jobId],
    queryFn: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.documents(id) });
      return ask(
        api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}", {
          params: {
            path: { organization_id: id, document_id: current?.documentId ?? "" },
            query: { prompt_revid: current?.promptRevid },
          },
        }),
      );
    },
    enabled: isDone,
  });
  const failed = job.data?.state === "failed" ? (job.data.error ?? "The run failed.") : null;
  const error = start.error ?? job.error ?? failed ?? result.error;
  const isRunning = start.isPending || (current !== null && error === null && !result.data);
  const waits = !job.data || job.data.state === "queued";
  return {
    run: start.mutate,
    error,
    isRunning,
    /** What is going on, in a word. */
    doing: isRunning ? (waits ? "Waiting to run" : "Extracting") : null,
    result: result.data ?? null,
    reset: start.reset,
  };
}

function isOver(state: string | undefined): boolean {
  return state === "done" || state === "failed";
}
