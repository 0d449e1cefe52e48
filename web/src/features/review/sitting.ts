import type { Assignment } from "@/lib/api/review";
import { t } from "@/lib/i18n";


/** A change that a person made in this sitting: what the result was before it. */
export interface Made {
  documentId: string;
  before: number;
  /** The document was accepted or rejected by it. */
  concluded: boolean;
}

/** What a person has before them while they go through a queue. */
export interface Sitting {
  /** Undefined before the first answer, null when nothing waits. */
  current: Assignment | null | undefined;
  /** The next document, fetched ahead; undefined while nobody has asked. */
  ahead: Assignment | null | undefined;
  done: number;
  passed: readonly string[];
  made: readonly Made[];
  /** The newest revision of each result that was changed. */
  revisions: Readonly<Record<string, number>>;
}

export const BEGIN: Sitting = { current: undefined, ahead: undefined, done: 0, passed: [], made: [], revisions: {} };

/** A value was changed: the result is at a new revision. */
export function afterChange(sitting: Sitting, documentId: string, before: number, now: number): Sitting {
  if (now <= (sitting.revisions[documentId] ?? 0)) return sitting;
  return {
    ...sitting,
    made: [...sitting.made, { documentId, before, concluded: false }],
    revisions: { ...sitting.revisions, [documentId]: now },
  };
}

/** The document is done with: the one that was fetched ahead is there at once. */
export function afterConclusion(sitting: Sitting, documentId: string, before: number, now: number): Sitting {
  return {
    ...sitting,
    current: sitting.ahead ?? undefined,
    ahead: undefined,
    done: sitting.done + 1,
    made: [...sitting.made, { documentId, before, concluded: true }],
    revisions: { ...sitting.revisions, [documentId]: now },
  };
}

/** The document is left to others. */
export function afterPassing(sitting: Sitting, documentId: string): Sitting {
  return { ...sitting, current: sitting.ahead ?? undefined, ahead: undefined, passed: [...sitting.passed, documentId] };
}

/** The last change is taken back, and its document is looked at again. */
export function afterUndo(sitting: Sitting, undone: Made, back: Assignment): Sitting {
  const other = sitting.current && sitting.current.document_id !== back.document_id ? sitting.current : sitting.ahead;
  return {
    ...sitting,
    current: back,
    ahead: other,
    done: sitting.done - (undone.concluded ? 1 : 0),
    made: sitting.made.slice(0, -1),
    revisions: { ...sitting.revisions, [undone.documentId]: back.result.revision },
  };
}

/** "7 of 32, 3 values left". */
export function placeWords({ done }: Pick<Sitting, "done">, current: Assignment): string {
  const left = current.doubts.length;
  const values = left === 0 ? t("review.nothingDoubtful") : t("review.leftValueLeft", { left });
  return t("review.doneOfDone2Values", { done: done + 1, done2: done + Math.max(1, current.waiting), values });
}

/** The doubt after the one at a path, around the end. */
export function nextDoubt(current: Assignment, path: string | null): string | null {
  const paths = current.doubts.map((doubt) => doubt.path).filter(Boolean);
  return paths[(paths.indexOf(path ?? "") + 1) % paths.length] ?? null;
}
