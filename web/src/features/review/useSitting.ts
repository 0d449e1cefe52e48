import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { ApiError } from "@/lib/api/errors";
import { keys } from "@/lib/api/queries";
import { reviewCalls } from "@/lib/api/review";
import type { Verdict } from "@/lib/api/review";
import { useOrganization } from "@/lib/organization";

import { BEGIN, afterChange, afterConclusion, afterPassing, afterUndo } from "./sitting";

import type { Sitting } from "./sitting";

const SIGN_OF_LIFE_MS = 60_000;
const CONFLICT = 409;

/** Goes through the queue of a prompt: what is looked at, what comes next, and what can be taken back. */
export function useSitting(promptId: string) {
  const { id } = useOrganization();
  const calls = useMemo(() => reviewCalls(id, promptId), [id, promptId]);
  const queryClient = useQueryClient();
  const [sitting, setSitting] = useState<Sitting>(BEGIN);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { current, ahead, passed } = sitting;
  const currentId = current?.document_id;

  // Every answer counts for the sitting that asked, so that a page that was left changes nothing.
  const asked = useRef(0);
  useEffect(() => {
    const missing = current === undefined ? "current" : ahead === undefined && current !== null ? "ahead" : null;
    if (!missing) return;
    const mine = ++asked.current;
    const without = [...passed, ...(missing === "ahead" && currentId ? [currentId] : [])];
    calls.next(without).then(
      (found) => mine === asked.current && setSitting((now) => ({ ...now, [missing]: found })),
      (reason: unknown) => mine === asked.current && setError(reason),
    );
    return () => {
      asked.current += 1;
    };
  }, [calls, current, currentId, ahead, passed]);

  /** Keep the document, and see what is doubtful now. */
  const look = useCallback(
    async (documentId: string): Promise<void> => {
      try {
        const kept = await calls.keep(documentId);
        setSitting((now) => (now.current?.document_id === documentId ? { ...now, current: kept } : now));
      } catch (reason) {
        if (!(reason instanceof ApiError) || reason.status !== CONFLICT) return setError(reason);
        setError(reason);
        setSitting((now) => (now.current?.document_id === documentId ? afterPassing(now, documentId) : now));
      }
    },
    [calls],
  );
  useEffect(() => {
    if (!currentId) return;
    const timer = setInterval(() => void look(currentId), SIGN_OF_LIFE_MS);
    return () => clearInterval(timer);
  }, [currentId, look]);

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await action();
    } catch (reason) {
      setError(reason);
      if (reason instanceof ApiError && reason.status === CONFLICT && currentId) await look(currentId);
    } finally {
      setIsBusy(false);
      void queryClient.invalidateQueries({ queryKey: keys.review(id) });
      void queryClient.invalidateQueries({ queryKey: keys.sheets(id) });
    }
  };
  return {
    sitting,
    error,
    isBusy,
    dismiss: () => setError(null),
    /** A value was changed, which made this revision. */
    changed: useCallback(
      (documentId: string, before: number, revision: number) => {
        setSitting((now) => afterChange(now, documentId, before, revision));
        void look(documentId);
      },
      [look],
    ),
    conclude: (verdict: Verdict) =>
      attempt(async () => {
        if (!current) return;
        const { document_id: documentId, result } = current;
        const concluded = await calls.conclude(documentId, verdict, result.revision);
        setSitting((now) => afterConclusion(now, documentId, result.revision, concluded.revision));
      }),
    pass: () =>
      attempt(async () => {
        if (!currentId) return;
        await calls.release(currentId);
        setSitting((now) => afterPassing(now, currentId));
      }),
    undo: () =>
      attempt(async () => {
        const last = sitting.made.at(-1);
        if (!last) return;
        const back = await calls.undo(last.documentId, sitting.revisions[last.documentId] ?? 0, last.before);
        setSitting((now) => afterUndo(now, last, back));
      }),
  };
}
