import { Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { Progress } from "@/components/Progress";
import type { TurnFold } from "@/lib/agent/fold";
import { framesOf } from "@/lib/agent/replay";
import { useProposalLog } from "@/lib/api/proposals";
import { t } from "@/lib/i18n";
import { useListedShortcuts } from "@/lib/shortcuts";

import type { KeyboardEvent, ReactNode } from "react";

const STEP_MS = 1_200;
const KEYS = [
  { keys: "ArrowRight", get does() { return t("proposals.nextStep"); }, get group() { return t("proposals.howAProposalWasMade"); } },
  { keys: "ArrowLeft", get does() { return t("proposals.previousStep"); }, get group() { return t("proposals.howAProposalWasMade"); } },
];

interface ReplayProps {
  documentId: string;
  /** A turn, as the conversation with the agent shows it. */
  show: (turn: TurnFold) => ReactNode;
}

/** How the agent came to its proposal: its log, one step after the other. */
export function Replay({ documentId, show }: ReplayProps) {
  const { data, error, refetch } = useProposalLog(documentId, false);
  const frames = useMemo(() => (data ? framesOf(data.turnId, data.events) : null), [data]);
  if (error) return <ErrorNote what={t("proposals.theLogCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!frames) return <Loading what={t("proposals.theLog")} />;
  if (!frames.length) return <p className="text-muted">{t("proposals.theAgentHasWrittenNothingDown")}</p>;
  return <Player frames={frames} show={show} />;
}

function Player({ frames, show }: { frames: TurnFold[]; show: ReplayProps["show"] }) {
  const frame = useRef<HTMLDivElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(0);
  const [plays, setPlays] = useState(false);
  const last = frames.length - 1;
  const at = Math.min(place, last);
  const turn = frames[at];
  const go = (to: number): void => setPlace(Math.min(last, Math.max(0, to)));
  const isPlaying = plays && at < last;
  useListedShortcuts(KEYS);
  useEffect(() => frame.current?.focus(), []);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [at]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => setPlace(at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);

  const step = (by: number): void => {
    setPlays(false);
    go(at + by);
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step(by);
  };
  const words = t("proposals.stepAtOfCount", { at: at + 1, count: frames.length });
  return (
    // The arrow keys work wherever the focus is inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      role="group"
      aria-label={t("proposals.howItWasMade")}
      aria-keyshortcuts="ArrowLeft ArrowRight"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={press}
      className="flex flex-col gap-2"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button small icon={SkipBack} disabledBecause={at === 0 && t("proposals.thisIsTheFirstStep")} onClick={() => step(-1)}>
          {t("proposals.previous")}
        </Button>
        <Button small icon={SkipForward} disabledBecause={at === last && t("proposals.thisIsTheLastStep")} onClick={() => step(1)}>
          {t("common.next")}
        </Button>
        <Button
          small
          icon={isPlaying ? Pause : Play}
          onClick={() => {
            if (at === last) setPlace(0);
            setPlays(!isPlaying);
          }}
        >
          {isPlaying ? t("proposals.pause") : t("proposals.play")}
        </Button>
        <span role="status" className="text-sm text-muted">
          {words}
        </span>
        <Progress hideLabel label={words} value={at + 1} max={frames.length} className="min-w-24 flex-1" />
      </div>
      <div
        ref={log}
        role="region"
        aria-label={t("proposals.theAgentsLog")}
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="h-[32dvh] min-h-32 overflow-y-auto rounded-md border bg-canvas p-3"
      >
        {turn && show(turn)}
      </div>
    </div>
  );
}
