import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { useRefreshResults } from "./results";

import type { Schemas } from "./client";

const LOOK_EVERY_MS = 700;

type Job = Schemas["JobOut"];

interface Asked {
  documentId: string;
  promptRevid: string;
}

export interface Running extends Asked {
  /** What is going on, in words. */
  text: string;
  progress: { value: number; max: number } | null;
}

/** Run one prompt on one document at a time, as a job whose progress is told; a failure stays until it is dismissed. */
export function usePromptRun() {
  const { id } = useOrganization();
  const refresh = useRefreshResults();
  const start = useMutation({
    mutationFn: async ({ documentId, promptRevid }: Asked) => {
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
  const { data: job, error: lost } = useQuery({
    queryKey: [id, "jobs", current?.jobId],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/jobs/{job_id}", {
          params: { path: { organization_id: id, job_id: current?.jobId ?? "" } },
        }),
      ),
    enabled: current !== null,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : LOOK_EVERY_MS),
  });
  const ended = current !== null && (isOver(job) || lost !== null) ? current : null;
  useEffect(() => {
    if (ended) refresh(ended.documentId);
  }, [ended, refresh]);

  const asked = start.variables;
  let running: Running | null = null;
  if (start.isPending && asked) running = { ...asked, text: "Starting", progress: null };
  else if (current && !ended) running = { ...current, ...told(job) };
  const error = start.error ?? lost ?? (job?.state === "failed" ? (job.error ?? "The run failed.") : null);
  return {
    run: start.mutate,
    running,
    failure: error !== null && asked ? { ...asked, error } : null,
    /** The run that went well, until the next one. */
    done: ended && error === null ? ended : null,
    /** Forget the last run and its failure. */
    dismiss: start.reset,
  };
}

/** What came of a run that went well. */
export function useRunResult(done: ReturnType<typeof usePromptRun>["done"]) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "runs", done?.jobId],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}", {
          params: {
            path: { organization_id: id, document_id: done?.documentId ?? "" },
            query: { prompt_revid: done?.promptRevid },
          },
        }),
      ),
    enabled: done !== null,
  });
}

function isOver(job: Job | undefined): boolean {
  return job?.state === "done" || job?.state === "failed";
}

function told(job: Job | undefined): Pick<Running, "text" | "progress"> {
  if (!job) return { text: "Waiting to run", progress: null };
  if (job.state === "queued") return { text: job.error ? `Trying again soon: ${job.error}` : "Waiting to run", progress: null };
  const { progress, progress_total: total } = job;
  // One prompt runs, and its job counts the windows of the document.
  if (!total || total < 2) return { text: "Extracting", progress: null };
  return { text: `Extracting, part ${Math.min(progress + 1, total)} of ${total}`, progress: { value: progress, max: total } };
}
