import { Check, Circle, CircleAlert, CircleStop, LoaderCircle } from "lucide-react";

import { FailureSteps } from "@/components/FailureSteps";
import { Markdown } from "@/components/Markdown";
import { ErrorNote } from "@/components/Notes";
import type { Block, PlanVerdict } from "@/lib/agent/fold";
import { clock, limitWords, stopWords } from "@/lib/agent/words";
import { lastLine, writingWords } from "@/lib/agent/writing";
import { t } from "@/lib/i18n";

import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";

interface ThinkingProps {
  text: string;
  isLive: boolean;
  seconds: number | null;
}

/** What the model thought before it spoke; folded, with its last line and a clock while it thinks. */
export function Thinking({ text, isLive, seconds }: ThinkingProps) {
  return (
    <Fold
      title={
        <>
          {isLive && <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin" />}
          <span className="shrink-0">{isLive ? t("agent.thinking") : seconds === null ? t("agent.thought") : (seconds < 1 ? t("agent.thoughtForUnderASecond") : t("agent.thoughtForSecondsS", { seconds: Math.round(seconds) }))}</span>
          {isLive && <span className="truncate text-sm">{lastLine(text)}</span>}
        </>
      }
      note={isLive ? <Elapsed /> : null}
    >
      {() => <p className="text-sm wrap-anywhere whitespace-pre-wrap text-muted">{text}</p>}
    </Fold>
  );
}

/** A call that the model is still writing. */
export function Writing({ name, json }: { name: string; json: string }) {
  return (
    <p className="flex min-h-6 min-w-0 items-center gap-1.5 text-muted">
      <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin" />
      <span className="min-w-0 flex-1 truncate">{writingWords(name, json)}</span>
      <span className="shrink-0 text-xs">
        <Elapsed />
      </span>
    </p>
  );
}

const DOING = { get reason() { return t("agent.reasoning"); }, get observe() { return t("agent.lookingAtWhatCameOfIt"); }, get plan() { return t("agent.planning"); } } as const;
const SHORT = 160;

/** The words of a phase: short ones stand there, long ones fold. */
export function PhaseText({ phase, text, isLive }: { phase: keyof typeof DOING; text: string; isLive: boolean }) {
  if (isLive && !text.trim()) {
    return (
      <p className="flex items-center gap-1.5 text-muted">
        <LoaderCircle size={14} aria-hidden className="animate-spin" /> {DOING[phase]}
      </p>
    );
  }
  const body = <div className="text-sm text-muted">{isLive ? <p className="whitespace-pre-wrap">{text}</p> : <Markdown text={text} />}</div>;
  if (isLive || text.length <= SHORT) return body;
  return (
    <Fold title={<span className="truncate text-sm">{text.split("\n")[0]}</span>}>{() => body}</Fold>
  );
}

interface DonePlanProps {
  steps: readonly { text: string; done: boolean }[];
  verdict: PlanVerdict | null;
  isOver: boolean;
}

/** A plan that was decided, or needs no decision: its steps, ticked off as they are done. */
export function DonePlan({ steps, verdict, isOver }: DonePlanProps) {
  const done = steps.filter((step) => step.done).length;
  const current = verdict?.approved === false || isOver ? -1 : done;
  return (
    <div className="rounded-lg border bg-surface px-3 py-1.5">
      <Fold
        initiallyOpen={verdict?.approved !== false}
        title={
          <span className="text-ink">
            {t("agent.planDoneOfCountStepDone", { done, count: steps.length })}
          </span>
        }
      >
        {() => (
          <ol className="flex flex-col gap-1">
            {steps.map((step, index) => (
              <li key={index} className="flex items-start gap-2">
                {step.done ? (
                  <Check size={14} aria-label={t("agent.done")} className="mt-1 shrink-0 text-good" />
                ) : index === current ? (
                  <LoaderCircle size={14} aria-label={t("agent.underWay")} className="mt-1 shrink-0 animate-spin text-accent" />
                ) : (
                  <Circle size={14} aria-label={t("common.toDo")} className="mt-1 shrink-0 text-muted" />
                )}
                <span className="wrap-anywhere">{step.text}</span>
              </li>
            ))}
          </ol>
        )}
      </Fold>
      {verdict && (
        <p className="text-xs text-muted">
          {verdict.approved ? t("agent.approvedByYou") : t("agent.rejectedByYou")} {clock(verdict.at)}
          {verdict.steps && t("agent.withChanges")}
          {verdict.reason && `: ${verdict.reason}`}
        </p>
      )}
    </div>
  );
}

export function DoneQuestion({ question, answer }: { question: string; answer: string | null }) {
  return (
    <div className="rounded-lg border bg-surface px-3 py-1.5">
      <p className="wrap-anywhere">{question}</p>
      <p className="text-muted wrap-anywhere">{answer === null ? t("agent.notAnswered") : t("agent.youAnswer", { answer })}</p>
    </div>
  );
}

export function TrimmedNote({ messages }: { messages: number }) {
  return (
    <p className="text-xs text-muted">
      {t("agent.theConversationIsLongSoThe", { messages })}
    </p>
  );
}

/** Why a turn ended without an answer, what is kept, and what to do. */
export function EndNote({ block, onRetry }: { block: Extract<Block, { type: "end" }>; onRetry?: () => void }) {
  if (block.end === "failed") {
    return (
      <ErrorNote error={t("agent.errorWhatWasDoneBeforeIs", { error: block.error })} onRetry={onRetry}>
        {onRetry && <FailureSteps code={block.code} />}
      </ErrorNote>
    );
  }
  if (block.end === "completed") {
    return (
      <div role="status" className="flex items-start gap-2 text-sm text-muted">
        <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
        <p className="wrap-anywhere">{block.note}</p>
      </div>
    );
  }
  return (
    <div className="flex items-start gap-2 text-sm text-muted">
      <CircleStop size={15} aria-hidden className="mt-0.5 shrink-0" />
      <div>
        <p>{block.end === "stopped" ? stopWords(block.reason) : limitWords(block.limit)}</p>
        {block.end === "stopped" && block.kept.length > 0 && <p>{t("agent.keptKept", { kept: block.kept.join("; ") })}</p>}
      </div>
    </div>
  );
}
