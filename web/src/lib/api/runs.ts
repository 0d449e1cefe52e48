import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { NOT_BEGUN } from "@/lib/failures";
import { t } from "@/lib/i18n";
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

export interface Failure extends Asked {
  error: unknown;
  /** What went wrong, as a word for programs. */
  code: string | null;
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
  if (start.isPending && asked) running = { ...asked, text: t("common.starting"), progress: null };
  else if (current && !ended) running = { ...current, ...told(job) };
  const failure = failureOf(start.error ?? lost, job);
  return {
    run: start.mutate,
    running,
    failure: failure && asked ? { ...asked, ...failure } : null,
    /** The run that went well, until the next one. */
    done: ended && !failure ? ended : null,
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

/** Why the last extraction of a document failed, as a word for programs, by its jobs. `reason` is what the document says of it. */
export function useFailureCode(documentId: string, reason: string | null | undefined): string | null {
  const { id } = useOrganization();
  const { data } = useQuery({
    queryKey: [id, "jobs", "of", documentId, reason],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/jobs", { params: { path: { organization_id: id }, query: { document_id: documentId } } })),
    enabled: Boolean(reason),
  });
  return data?.jobs.find(({ kind, error }) => kind === "extract" && error !== null)?.error_code ?? null;
}

/** A job that was given up says why to who keeps the server, not to who waits for it. */
const givenUp = (): string => t("lib.theExtractionFailedSeveralTimesThe");

/** `lost` is why the job could not be begun or asked after. A job that ran to its end may still have failed. */
function failureOf(lost: Error | null, job: Job | undefined): Pick<Failure, "error" | "code"> | null {
  if (lost) return { error: lost, code: NOT_BEGUN };
  if (job?.state === "failed") return { error: givenUp(), code: job.error_code ?? null };
  return job?.state === "done" && job.error !== null ? { error: job.error, code: job.error_code ?? null } : null;
}

function isOver(job: Job | undefined): boolean {
  return job?.state === "done" || job?.state === "failed";
}

function told(job: Job | undefined): Pick<Running, "text" | "progress"> {
  if (!job) return { text: t("lib.waitingToRun"), progress: null };
  if (job.state === "queued") return { text: job.error ? t("lib.tryingAgainSoonError", { error: job.error }) : t("lib.waitingToRun"), progress: null };
  const { progress, progress_total: total } = job;
  // One prompt runs, and its job counts the windows of the document.
  if (!total || total < 2) return { text: t("lib.extracting"), progress: null };
  return { text: t("lib.extractingPartProgressOfTotal", { progress: Math.min(progress + 1, total), total }), progress: { value: progress, max: total } };
}
