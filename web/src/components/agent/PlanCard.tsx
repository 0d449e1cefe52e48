import { Check, ListChecks } from "lucide-react";
import { useRef, useState } from "react";

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
      a: () => void decide("Approving", { approved: true }),
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
    <CardFrame ref={frame} label={`Needs your approval: a plan with ${steps.length} steps`} keys="A E R" onKeyDown={press}>
      <header className="flex items-center gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <ListChecks size={16} aria-hidden className="shrink-0 text-warm" />
        <p className="flex-1 font-medium">{revision > 1 ? "A new plan" : "The plan"}</p>
        <Badge tone="warm">waits for you</Badge>
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
        {error !== null && <ErrorNote what="Nothing was decided." error={error} onDismiss={() => setError(null)} />}
        {doing === "editing" && (
          <form
            className="flex flex-col gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (changed.length) void decide("Approving", { approved: true, steps: changed });
            }}
          >
            <Field label="One step on each line">
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
              <Button small variant="primary" type="submit" busy={busy} disabledBecause={!changed.length && "A plan needs at least one step."}>
                Follow these steps
              </Button>
              <Button small onClick={back}>
                Cancel
              </Button>
            </div>
          </form>
        )}
        {doing === "rejecting" && (
          <ReasonForm
            label="What should be different? With a reason the agent plans again; without one it stops."
            submit="Reject the plan"
            busy={busy}
            onCancel={back}
            onSubmit={(reason) => void decide("Rejecting", { approved: false, reason: reason || null })}
          />
        )}
        {doing === "looking" && (
          <div className="flex flex-wrap gap-2">
            <Button small variant="primary" icon={Check} busy={busy} onClick={() => void decide("Approving", { approved: true })}>
              Follow the plan <kbd className="rounded-sm border border-current px-1 font-sans text-xs">A</kbd>
            </Button>
            <Button small onClick={() => setDoing("editing")}>
              Edit <Kbd keys="E" />
            </Button>
            <Button small onClick={() => setDoing("rejecting")}>
              Reject <Kbd keys="R" />
            </Button>
          </div>
        )}
      </div>
    </CardFrame>
  );
}
