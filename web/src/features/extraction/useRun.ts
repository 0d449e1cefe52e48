import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { api, ask } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";

import { useRefreshResults } from "./useExtraction";

const LOOK_EVERY_MS = 700;

export interface Running {
  promptRevid: string;
  /** What is going on, in words. */
  text: string;
  progress: { value: number; max: number } | null;
}

/** Run prompts on a document, one at a time, as jobs whose progress is shown; the last failure stays until dismissed. */
export function useRun(documentId: string) {
  const { id } = useOrganization();
  const refresh = useRefreshResults(documentId);
  const [current, setCurrent] = useState<{ promptRevid: string; jobId: string } | null>(null);
  const [failure, setFailure] = useState<{ promptRevid: string; error: unknown } | null>(null);

  const start = useMutation({
    mutationFn: async (promptRevid: string) => {
      setFailure(null);
      const queued = await ask(
        api.POST("/v0/orgs/{organization_id}/llm/run/{document_id}", {
          params: {
            path: { organization_id: id, document_id: documentId },
            query: { prompt_revid: promptRevid, force: true, background: true },
          },
        }),
      );
      if (queued.job_id) setCurrent({ promptRevid, jobId: queued.job_id });
    },
    onError: (error, promptRevid) => setFailure({ promptRevid, error }),
  });

  const { data: job, error: lost } = useQuery({
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

  useEffect(() => {
    if (!current) return;
    if (lost) setFailure({ promptRevid: current.promptRevid, error: lost });
    else if (job?.id !== current.jobId || !isOver(job.state)) return;
    else if (job.error) setFailure({ promptRevid: current.promptRevid, error: job.error });
    setCurrent(null);
    refresh();
  }, [current, job, lost, refresh]);

  const starting = start.isPending ? start.variables : undefined;
  const running: Running | null = current
    ? { promptRevid: current.promptRevid, ...told(job?.id === current.jobId ? job : undefined) }
    : starting !== undefined
      ? { promptRevid: starting, text: "Starting", progress: null }
      : null;
  return { run: start.mutate, running, failure, dismiss: () => setFailure(null) };
}

function isOver(state: string | undefined): boolean {
  return state === "done" || state === "failed";
}

interface Job {
  state: string;
  error: string | null;
  progress: number;
  progress_total: number | null;
}

function told(job: Job | undefined): Pick<Running, "text" | "progress"> {
  if (!job) return { text: "Waiting to run", progress: null };
  if (job.state === "queued") return { text: job.error ? `Trying again soon: ${job.error}` : "Waiting to run", progress: null };
  const progress = job.progress_total ? { value: job.progress, max: job.progress_total } : null;
  return { text: "Extracting", progress };
}
