import { Check, ChevronDown, Ellipsis, Hourglass } from "lucide-react";
import { useRef, useState } from "react";

import type { Verdict } from "@/lib/agent/actions";
import { useEdited } from "@/lib/agent/edited";
import type { Preview as PreviewValues } from "@/lib/agent/events";
import { approval, approvalWords, forgetHunks, nothingAccepted, useHunks } from "@/lib/agent/hunks";
import type { Subject } from "@/lib/agent/subject";
import { toolWords } from "@/lib/agent/words";
import { t } from "@/lib/i18n";
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
    if (!cannot) await decide(t("common.approving"), { ...approval(call), ...more });
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
    <CardFrame ref={frame} label={t("cards.needsYourApprovalTitle", { title })} keys="A E R" onKeyDown={press}>
      <header className="flex items-start gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <Hourglass size={15} aria-hidden className="mt-1 shrink-0 text-warm" />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <Badge tone="warm">{t("cards.waitsForYou")}</Badge>
      </header>
      <div className="flex flex-col gap-3 p-3">
        {call.renewed && (
          <p className="text-sm text-warm">{t("cards.thisChangedAfterYouOpenedIt")}</p>
        )}
        {doing !== "editing" && call.preview && <Preview preview={call.preview} choice={choice} />}
        {doing !== "editing" && !call.preview && !showsRaw && <RawJson label={t("common.arguments")} json={call.arguments} />}
        {doing !== "editing" && showsRaw && <RawJson label={t("cards.argumentsAsJson")} json={call.arguments} />}
        {error !== null && (
          <ErrorNote what={t("common.nothingWasDecided")} error={error} onDismiss={() => setError(null)} />
        )}
        {doing === "editing" && (
          <ArgumentsForm
            arguments={call.arguments}
            kept={edited}
            parameters={parameters}
            submit={t("cards.approveWithChanges")}
            busy={busy ?? false}
            onKeep={keepEdited}
            onLeave={back}
            onSubmit={(values) => void decide(t("common.approving"), { approved: true, arguments: values })}
          />
        )}
        {doing === "rejecting" && (
          <ReasonForm
            label={t("cards.reasonOptionalTheAgentWillSee")}
            submit={t("common.reject")}
            busy={busy ?? false}
            onCancel={back}
            onSubmit={(reason) => void decide(t("common.rejecting"), { approved: false, reason: reason || null })}
          />
        )}
        {doing === "looking" && edited !== null && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            {t("cards.youHaveChangedThisAndNot")}
            <Button small variant="quiet" onClick={() => setDoing("editing")}>
              {t("common.keepEditing")}
            </Button>
            <Button small variant="quiet" onClick={() => keepEdited(null)}>
              {t("cards.discardChanges")}
            </Button>
          </p>
        )}
        {doing === "looking" && (
          <CardFoot>
            <Button small variant="primary" icon={Check} busy={busy} disabledBecause={cannot} onClick={() => void approve()}>
              {edited === null ? approvalWords(choice) : t("cards.approveAsProposed")} <Key>A</Key>
            </Button>
            <Button small onClick={() => setDoing("editing")}>
              {t("common.edit")}{" "}<Kbd keys="E" />
            </Button>
            <Button small onClick={() => setDoing("rejecting")}>
              {t("common.reject")}{" "}<Kbd keys="R" />
            </Button>
            {canBeRemembered && (
              <Menu trigger={<IconButton small icon={Ellipsis} label={t("cards.moreChoices")} />} align="end">
                <MenuLabel>{t("cards.alwaysAllowToolWords", { toolWords: toolWords(call.name).toLowerCase() })}</MenuLabel>
                {about && (
                  <MenuItem icon={Check} onSelect={() => void approve({ always_allow: about })}>
                    {about === "project" ? t("cards.inThisProject") : t("cards.onThisDocument")}
                  </MenuItem>
                )}
                <MenuItem icon={Check} onSelect={() => void approve({ always_allow: "organization" })}>
                  {t("common.everywhere")}
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
