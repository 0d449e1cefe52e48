import { useCallback, useMemo, useRef, useState } from "react";

import { useVerdicts } from "@/lib/api/proposals";
import type { ProposalGroup, Verdict } from "@/lib/api/proposals";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";
import { Store, useStore } from "@/lib/store";
import { toast } from "@/lib/toasts";

import { BEGINNING, currentOf, includedIn, looking, moved, orderOf, together, toggled } from "./review";

// Outside of the page, so that whoever opens a document and comes back is where they were.
const store = new Store(BEGINNING);

export type Review = ReturnType<typeof useReview>;

/** Going through the queue, and the verdicts. */
export function useReview(groups: readonly ProposalGroup[]) {
  const state = useStore(store);
  const verdicts = useVerdicts();
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);
  const order = useMemo(() => orderOf(groups), [groups]);
  const current = currentOf(state, order);
  const group = groups.find(({ documents }) => documents.some((document) => document.document_id === current)) ?? null;
  const names = new Map(groups.flatMap(({ documents }) => documents.map((one) => [one.document_id, one.document_name] as const)));

  // What a verdict is under way for is not decided again by a second press of the key.
  const deciding = useRef(new Set<string>());
  const decide = async (verdict: Verdict, wanted: string[], tagName?: string): Promise<string[]> => {
    const documentIds = wanted.filter((one) => !deciding.current.has(one));
    if (!documentIds.length) return [];
    const isFinal = verdict !== "restore";
    if (isFinal) for (const one of documentIds) deciding.current.add(one);
    setProblem(null);
    try {
      const answers = await verdicts.mutateAsync({ verdict, documentIds, tagName });
      const failed = answers.filter(({ error }) => error !== null);
      if (failed.length) {
        const told = failed.map(({ document_id: id, error }) => `${names.get(id) ?? t("proposals.aDocument")}: ${error}`).join(" ");
        setProblem({ what: t("proposals.countDocumentStayedAsBefore", { count: failed.length }), error: told });
      }
      return answers.filter(({ error }) => error === null).map((answer) => answer.document_id);
    } catch (error) {
      setProblem({ what: t("common.nothingWasDecided"), error });
      return [];
    } finally {
      if (isFinal) for (const one of documentIds) deciding.current.delete(one);
    }
  };
  const accept = async (wanted: ProposalGroup, tagName?: string): Promise<void> => {
    const included = includedIn(wanted, state.takenOut);
    if (!included.length) return;
    const decided = decide("accept", included, tagName);
    // The next press of the key is for the next group, also while this one is being accepted.
    const next = groups.slice(groups.indexOf(wanted) + 1).find((one) => includedIn(one, state.takenOut).some((id) => !deciding.current.has(id)));
    const [first] = next?.documents ?? [];
    if (first) store.update((now) => looking(now, order, first.document_id));
    const done = await decided;
    if (!done.length) return;
    store.update((now) => together(now, wanted));
    const then = tagName ? t("proposals.documentsWithTheTagTagNameAreProcessed", { tagName: quoted(tagName) }) : "";
    toast(t("proposals.acceptedCountDocumentThen", { count: done.length, then }));
  };
  const reject = async (documentIds: string[]): Promise<void> => {
    const done = await decide("reject", documentIds);
    if (!done.length) return;
    const only = documentIds.length === 1 ? names.get(documentIds[0] ?? "") : undefined;
    toast(t("proposals.rejectedValue", { value: only ? quoted(only) : t("proposals.countDocument", { count: done.length }) }), {
      label: t("common.undo"),
      run: () => void decide("restore", done),
    });
  };
  return {
    current,
    group,
    takenOut: state.takenOut,
    /** What is being decided at the moment. */
    busy: verdicts.isPending ? { ...verdicts.variables, words: WORDS[verdicts.variables.verdict] } : null,
    problem,
    dismiss: () => setProblem(null),
    look: useCallback((documentId: string) => store.update((now) => looking(now, order, documentId)), [order]),
    move: useCallback((by: number) => store.update((now) => moved(now, order, by)), [order]),
    toggle,
    accept,
    reject,
  };
}

function toggle(documentId: string): void {
  store.update((now) => toggled(now, documentId));
}

const WORDS: Record<Verdict, string> = { get accept() { return t("proposals.accepting"); }, get reject() { return t("common.rejecting"); }, get restore() { return t("common.undoing"); } };
