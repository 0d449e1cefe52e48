import { Check, Hourglass } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { OneHunk } from "@/components/agent/Hunks";
import type { Verdict } from "@/lib/agent/actions";
import { approval, approvalWords, forgetHunks, nothingAccepted, useHunks } from "@/lib/agent/hunks";
import type { Proposed } from "@/lib/agent/hunks";
import { t } from "@/lib/i18n";

import type { WaitingChange } from "./suggestions";

export type Decide = (turnId: string, verdicts: Verdict[]) => Promise<void>;

/** One part of a change that waits, where it would stand in the text. */
export function ProposedHunk({ call, number }: { call: Proposed; number: number }) {
  const choice = useHunks(call);
  return (
    <div className="rounded-md border border-warm-line bg-surface p-2">
      <OneHunk choice={choice} number={number} />
    </div>
  );
}

/** A change of the open text that waits: the verdict on all of its parts at once. */
export function ProposalBar({ call, onDecide }: { call: WaitingChange; onDecide: Decide }) {
  const choice = useHunks(call);
  const [busy, setBusy] = useState<"approving" | "rejecting" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (doing: "approving" | "rejecting", verdict: Verdict): Promise<void> => {
    if (busy) return;
    setBusy(doing);
    setError(null);
    try {
      await onDecide(call.turnId, [verdict]);
      forgetHunks(call);
    } catch (reason) {
      setError(reason);
    }
    setBusy(null);
  };
  const places = choice.hunks.length > 1 ? t("projects.inCountPlace", { count: choice.hunks.length }) : "";
  return (
    <div role="group" aria-label={t("projects.proposedChange")} className="flex flex-col gap-2 border-b border-warm-line bg-warm-soft px-4 py-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Hourglass size={15} aria-hidden className="shrink-0 text-warm" />
        <p className="min-w-40 flex-1">{t("projects.theAgentWouldLikeToChange", { places })}</p>
        <Button
          small
          variant="primary"
          icon={Check}
          busy={busy === "approving" && t("common.approving")}
          disabledBecause={nothingAccepted(choice)}
          onClick={() => void decide("approving", approval(call))}
        >
          {approvalWords(choice)}
        </Button>
        <Button small busy={busy === "rejecting" && t("common.rejecting")} onClick={() => void decide("rejecting", { call_id: call.id, approved: false })}>
          {choice.hunks.length > 1 ? t("projects.rejectAll") : t("common.reject")}
        </Button>
      </div>
      {error !== null && <ErrorNote what={t("common.nothingWasDecided")} error={error} onDismiss={() => setError(null)} />}
    </div>
  );
}
