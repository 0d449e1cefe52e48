import { Ban, Check, CircleAlert, LoaderCircle, Undo2, X } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { Progress } from "@/components/Progress";
import { Preview } from "@/components/agent/Preview";
import type { Call } from "@/lib/agent/fold";
import { hunksOf } from "@/lib/agent/previews";
import { actionWords, clock, duration, grantWords } from "@/lib/agent/words";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { ChangedLink } from "./ChangedLink";
import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";
import { CallDetails } from "./ToolRow";
import { WebSources } from "./WebSources";

import type { AgentPlace } from "./changed";
import type { ReactNode } from "react";

const AT_ONCE_MS = 100;

interface ActionLineProps {
  call: Call;
  place: AgentPlace;
  /** Why nothing can be undone at the moment. */
  undoBlocked: string | false;
  onUndo: () => Promise<void>;
}

/** A change after the verdict: one line that stays, with who, when and what, and the way back. */
export function ActionLine({ call, place, undoBlocked, onUndo }: ActionLineProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const undo = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onUndo();
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  const canUndo = call.result?.canUndo && !call.undone;
  return (
    <div className="rounded-lg border bg-surface px-3 py-1.5">
      <div className="flex items-start gap-2">
        <Fold
          className="flex-1"
          title={
            <>
              <Mark call={call} />
              <span className={cx("line-clamp-2 text-ink", (call.undone || isRejected(call)) && "line-through decoration-line-strong")}>
                <bdi>{actionWords(call)}</bdi>
              </span>
            </>
          }
          note={call.stage === "running" ? <Elapsed /> : null}
        >
          {() => (
            <>
              {call.preview && <Preview preview={call.preview} />}
              <CallDetails call={call} />
            </>
          )}
        </Fold>
        {canUndo && (
          <Button
            small
            variant="quiet"
            icon={Undo2}
            busy={busy ? t("common.undoing") : false}
            disabledBecause={undoBlocked}
            onClick={() => void undo()}
            className="-mr-2 h-6 text-muted"
          >
            {t("common.undo")}
          </Button>
        )}
      </div>
      <p className="text-xs text-muted">{fate(call)}</p>
      <ChangedLink call={call} place={place} />
      <WebSources call={call} />
      {call.progress && call.stage === "running" && (
        <Progress label={call.progress.message || t("agent.working")} value={call.progress.done} max={call.progress.total} />
      )}
      {error !== null && <ErrorNote className="mt-1" what={t("agent.itWasNotUndone")} error={error} onDismiss={() => setError(null)} />}
    </div>
  );
}

function isRejected(call: Call): boolean {
  return call.decision?.approved === false || call.expired || call.dropped;
}

function Mark({ call }: { call: Call }) {
  if (call.undone) return <Undo2 size={14} aria-hidden className="shrink-0" />;
  if (call.dropped) return <Ban size={14} aria-hidden className="shrink-0" />;
  if (isRejected(call)) return <X size={14} aria-hidden className="shrink-0 text-bad" />;
  if (call.result?.isError) {
    const Icon = call.result.ran ? CircleAlert : Ban;
    return <Icon size={14} aria-hidden className="shrink-0 text-bad" />;
  }
  if (call.result) return <Check size={14} aria-hidden className="shrink-0 text-good" />;
  return <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin text-accent" />;
}

/** Who decided, when, and what came of it. */
function fate(call: Call): ReactNode {
  const { decision, result, undone } = call;
  const parts: string[] = [];
  if (call.expired) parts.push(t("agent.notDecidedInTime"));
  else if (decision && !decision.approved) {
    parts.push(decision.reason ? t("agent.rejectedByYouAtReason", { at: clock(decision.at), reason: decision.reason }) : t("agent.rejectedByYouAt", { at: clock(decision.at) }));
  } else if (decision) {
    parts.push(t("agent.approvedByYouAt", { at: clock(decision.at) }));
    if (decision.edited) parts.push(t("agent.changedBefore"));
    if (decision.accepted) parts.push(t("agent.acceptedOfCountChange", { accepted: decision.accepted, count: hunksOf(call.preview).length }));
    if (decision.remembered) parts.push(t("agent.alwaysFromNowOn"));
  } else if (call.grant?.kind === "proposal") parts.push(t("agent.preparedAsAPartOfA"));
  else if (call.grant) parts.push(t("agent.approvedGrantWords", { grantWords: grantWords(call.grant) }));
  if (call.dropped) parts.push(parts.length ? t("agent.stoppedBeforeItRan") : t("agent.notDecidedAndNotRunThe"));
  else if (result && decision?.approved !== false) {
    if (result.isError) parts.push(`${result.ran ? t("agent.failed") : t("agent.notRun")}: ${result.summary || t("agent.seeInside")}`);
    else parts.push(result.milliseconds < AT_ONCE_MS ? t("agent.done") : t("agent.doneInMilliseconds", { milliseconds: duration(result.milliseconds) }));
  } else if (!result && decision?.approved) parts.push(call.stage === "running" ? t("agent.runs") : t("agent.runsWhenAllAreDecided"));
  if (undone) parts.push(t("agent.undoneAt", { at: clock(undone.at) }));
  return parts.join(", ");
}
