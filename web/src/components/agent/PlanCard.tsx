import { Check, ListChecks } from "lucide-react";
import { useRef, useState } from "react";

import { t } from "@/lib/i18n";
import { isTyping } from "@/lib/shortcuts";

import { Badge } from "../Badge";
import { Button } from "../Button";
import { Field, Textarea } from "../Field";
import { Kbd } from "../Kbd";
import { ErrorNote } from "../Notes";

import { CardFrame } from "./CardFrame";
import { ReasonForm } from "./ReasonForm";

import type { KeyboardEvent } from "react";

export interface PlanDecision {
  approved: boolean;
  steps?: string[] | null;
  reason?: string | null;
}

interface PlanCardProps {
  steps: readonly string[];
  revision?: number;
  onDecide: (decision: PlanDecision) => Promise<void>;
}

/** A plan that waits: approve it, change its steps, or reject it with a reason. The same keys as for an action. */
export function PlanCard({ steps, revision = 1, onDecide }: PlanCardProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [doing, setDoing] = useState<"looking" | "editing" | "rejecting">("looking");
  const [text, setText] = useState(steps.join("\n"));
  const [busy, setBusy] = useState<string | false>(false);
  const [error, setError] = useState<unknown>(null);
  const decide = async (words: string, decision: PlanDecision): Promise<void> => {
    if (busy) return;
    setBusy(words);
    setError(null);
    try {
      await onDecide(decision);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  const back = (): void => {
    setDoing("looking");
    frame.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey || doing !== "looking") return;
    const run = {
      a: () => void decide(t("common.approving"), { approved: true }),
      e: () => setDoing("editing"),
      r: () => setDoing("rejecting"),
    }[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const changed = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return (
    <CardFrame ref={frame} label={t("cards.needsYourApprovalAPlanWith", { count: steps.length })} keys="A E R" onKeyDown={press}>
      <header className="flex items-center gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <ListChecks size={16} aria-hidden className="shrink-0 text-warm" />
        <p className="flex-1 font-medium">{revision > 1 ? t("cards.aNewPlan") : t("cards.thePlan")}</p>
        <Badge tone="warm">{t("cards.waitsForYou")}</Badge>
      </header>
      <div className="flex flex-col gap-3 p-3">
        {doing !== "editing" && (
          <ol className="list-decimal pl-6">
            {steps.map((step, index) => (
              <li key={index} className="wrap-anywhere">
                {step}
              </li>
            ))}
          </ol>
        )}
        {error !== null && <ErrorNote what={t("common.nothingWasDecided")} error={error} onDismiss={() => setError(null)} />}
        {doing === "editing" && (
          <form
            className="flex flex-col gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (changed.length) void decide(t("common.approving"), { approved: true, steps: changed });
            }}
          >
            <Field label={t("cards.oneStepOnEachLine")}>
              {(control) => (
                <Textarea
                  {...control}
                  autoFocus
                  rows={Math.min(12, steps.length + 2)}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key === "Escape") back();
                  }}
                />
              )}
            </Field>
            <div className="flex gap-2">
              <Button small variant="primary" type="submit" busy={busy} disabledBecause={!changed.length && t("cards.aPlanNeedsAtLeastOne")}>
                {t("cards.followTheseSteps")}
              </Button>
              <Button small onClick={back}>
                {t("common.cancel")}
              </Button>
            </div>
          </form>
        )}
        {doing === "rejecting" && (
          <ReasonForm
            label={t("cards.whatShouldBeDifferentWithA")}
            submit={t("cards.rejectThePlan")}
            busy={busy}
            onCancel={back}
            onSubmit={(reason) => void decide(t("common.rejecting"), { approved: false, reason: reason || null })}
          />
        )}
        {doing === "looking" && (
          <div className="flex flex-wrap gap-2">
            <Button small variant="primary" icon={Check} busy={busy} onClick={() => void decide(t("common.approving"), { approved: true })}>
              {t("cards.followThePlan")}{" "}<kbd className="rounded-sm border border-current px-1 font-sans text-xs">A</kbd>
            </Button>
            <Button small onClick={() => setDoing("editing")}>
              {t("common.edit")}{" "}<Kbd keys="E" />
            </Button>
            <Button small onClick={() => setDoing("rejecting")}>
              {t("common.reject")}{" "}<Kbd keys="R" />
            </Button>
          </div>
        )}
      </div>
    </CardFrame>
  );
}
