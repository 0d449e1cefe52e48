import { Check, ChevronDown, Ellipsis, Hourglass } from "lucide-react";
import { useRef, useState } from "react";

import type { Verdict } from "@/lib/agent/actions";
import { useEdited } from "@/lib/agent/edited";
import type { Preview as PreviewValues } from "@/lib/agent/events";
import { approval, approvalWords, forgetHunks, nothingAccepted, useHunks } from "@/lib/agent/hunks";
import type { Subject } from "@/lib/agent/subject";
import { toolWords } from "@/lib/agent/words";
import { isTyping } from "@/lib/shortcuts";

import { Badge } from "../Badge";
import { Button, IconButton } from "../Button";
import { Kbd } from "../Kbd";
import { Menu, MenuItem, MenuLabel } from "../Menu";
import { ErrorNote } from "../Notes";

import { ArgumentsForm } from "./ArgumentsForm";
import { CardFoot, CardFrame } from "./CardFrame";
import { Preview } from "./Preview";
import { RawJson } from "./RawJson";
import { ReasonForm } from "./ReasonForm";

import type { KeyboardEvent } from "react";

/** Previews of what leaves the server. */
const LEAVES = new Set(["search", "outside_call"]);

export interface PendingCall {
  id: string;
  name: string;
  arguments: string;
  summary: string | null;
  preview: PreviewValues | null;
  renewed?: boolean;
}

interface ActionCardProps {
  call: PendingCall;
  /** The parameters of the tool as a JSON schema, for the form that edits them. */
  parameters?: Record<string, unknown>;
  /** What the conversation is about: an approval may be remembered for it. Null if it is about nothing. */
  about?: Subject["kind"] | null;
  onDecide: (verdict: Verdict) => Promise<void>;
}

type Doing = "looking" | "editing" | "rejecting";

/** A change that waits for the user: what would happen, and what they want. A, E and R while it has the focus. */
export function ActionCard({ call, parameters, about = "document", onDecide }: ActionCardProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [doing, setDoing] = useState<Doing>("looking");
  const [showsRaw, setShowsRaw] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const choice = useHunks(call);
  const cannot = nothingAccepted(choice);
  const [edited, keepEdited] = useEdited(call);

  const decide = async (words: string, verdict: Omit<Verdict, "call_id">): Promise<void> => {
    if (busy) return;
    setBusy(words);
    setError(null);
    try {
      await onDecide({ call_id: call.id, ...verdict });
      forgetHunks(call);
      keepEdited(null);
    } catch (reason) {
      setError(reason);
      frame.current?.focus();
    }
    setBusy(null);
  };
  const approve = async (more: Pick<Verdict, "always_allow"> = {}): Promise<void> => {
    if (!cannot) await decide("Approving", { ...approval(call), ...more });
  };
  const back = (): void => {
    setDoing("looking");
    frame.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey || doing !== "looking") return;
    const run = { a: () => void approve(), e: () => setDoing("editing"), r: () => setDoing("rejecting") }[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const title = call.summary ?? toolWords(call.name);
  const canBeRemembered = !LEAVES.has(String(call.preview?.kind)); // what leaves the server is looked at each time
  return (
    <CardFrame ref={frame} label={`Needs your approval: ${title}`} keys="A E R" onKeyDown={press}>
      <header className="flex items-start gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <Hourglass size={15} aria-hidden className="mt-1 shrink-0 text-warm" />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <Badge tone="warm">waits for you</Badge>
      </header>
      <div className="flex flex-col gap-3 p-3">
        {call.renewed && (
          <p className="text-sm text-warm">This changed after you opened it. Review the new preview.</p>
        )}
        {doing !== "editing" && call.preview && <Preview preview={call.preview} choice={choice} />}
        {doing !== "editing" && !call.preview && !showsRaw && <RawJson label="Arguments" json={call.arguments} />}
        {doing !== "editing" && showsRaw && <RawJson label="Arguments as JSON" json={call.arguments} />}
        {error !== null && (
          <ErrorNote what="Nothing was decided." error={error} onDismiss={() => setError(null)} />
        )}
        {doing === "editing" && (
          <ArgumentsForm
            arguments={call.arguments}
            kept={edited}
            parameters={parameters}
            submit="Approve with changes"
            busy={busy ?? false}
            onKeep={keepEdited}
            onLeave={back}
            onSubmit={(values) => void decide("Approving", { approved: true, arguments: values })}
          />
        )}
        {doing === "rejecting" && (
          <ReasonForm
            label="Reason (optional). The agent will see it."
            submit="Reject"
            busy={busy ?? false}
            onCancel={back}
            onSubmit={(reason) => void decide("Rejecting", { approved: false, reason: reason || null })}
          />
        )}
        {doing === "looking" && edited !== null && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            You have changed this, and not approved the changes yet. They are kept.
            <Button small variant="quiet" onClick={() => setDoing("editing")}>
              Go on editing
            </Button>
            <Button small variant="quiet" onClick={() => keepEdited(null)}>
              Discard changes
            </Button>
          </p>
        )}
        {doing === "looking" && (
          <CardFoot>
            <Button small variant="primary" icon={Check} busy={busy} disabledBecause={cannot} onClick={() => void approve()}>
              {edited === null ? approvalWords(choice) : "Approve as proposed"} <Key>A</Key>
            </Button>
            <Button small onClick={() => setDoing("editing")}>
              Edit <Kbd keys="E" />
            </Button>
            <Button small onClick={() => setDoing("rejecting")}>
              Reject <Kbd keys="R" />
            </Button>
            {canBeRemembered && (
              <Menu trigger={<IconButton small icon={Ellipsis} label="More choices" />} align="end">
                <MenuLabel>Always allow “{toolWords(call.name).toLowerCase()}”</MenuLabel>
                {about && (
                  <MenuItem icon={Check} onSelect={() => void approve({ always_allow: about })}>
                    {about === "project" ? "In this project" : "On this document"}
                  </MenuItem>
                )}
                <MenuItem icon={Check} onSelect={() => void approve({ always_allow: "organization" })}>
                  Everywhere
                </MenuItem>
              </Menu>
            )}
            {call.preview && (
              <Button small variant="quiet" className="-mr-2 ml-auto text-muted" aria-expanded={showsRaw} onClick={() => setShowsRaw(!showsRaw)}>
                JSON <ChevronDown size={13} aria-hidden className={showsRaw ? "rotate-180" : undefined} />
              </Button>
            )}
          </CardFoot>
        )}
      </div>
    </CardFrame>
  );
}

/** A key on the accent's own ground. */
function Key({ children }: { children: string }) {
  return <kbd className="rounded-sm border border-current px-1 font-sans text-xs">{children}</kbd>;
}
