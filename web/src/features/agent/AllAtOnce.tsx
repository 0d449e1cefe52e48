import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import type { Verdict } from "@/lib/agent/actions";
import type { Call } from "@/lib/agent/fold";
import { approval } from "@/lib/agent/hunks";
import { t } from "@/lib/i18n";

interface AllAtOnceProps {
  waiting: readonly Call[];
  onDecide: (verdicts: Verdict[]) => Promise<void>;
}

/** One verdict for several calls that wait together. It stands below the conversation, however long that is. */
export function AllAtOnce({ waiting, onDecide }: AllAtOnceProps) {
  const [busy, setBusy] = useState<"approving" | "rejecting" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (approved: boolean): Promise<void> => {
    setBusy(approved ? "approving" : "rejecting");
    setError(null);
    try {
      await onDecide(waiting.map((call) => (approved ? approval(call) : { call_id: call.id, approved })));
    } catch (reason) {
      setError(reason);
    }
    setBusy(null);
  };
  return (
    <div role="group" aria-label={t("agent.countChangesWaitForYou", { count: waiting.length })} className="flex shrink-0 flex-wrap items-center gap-2 border-t border-warm-line bg-warm-soft px-4 py-2">
      {error !== null && <ErrorNote className="w-full" what={t("common.nothingWasDecided")} error={error} />}
      <Button small variant="primary" busy={busy === "approving" && t("common.approving")} onClick={() => void decide(true)}>
        {t("agent.approveAllCount", { count: waiting.length })}
      </Button>
      <Button small busy={busy === "rejecting" && t("common.rejecting")} onClick={() => void decide(false)}>
        {t("agent.rejectAllCount", { count: waiting.length })}
      </Button>
    </div>
  );
}
