import { ArrowUp, LoaderCircle, Square, X } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import type { AgentTool } from "@/lib/api/agent";
import { t } from "@/lib/i18n";

import { MentionInput } from "./MentionInput";
import { ApprovalMenu, ModelMenu, ToolsMenu } from "./OptionMenus";
import { useMentionables } from "./useMentionables";
import { onlyCard, verdictIn } from "./verdictWords";

import type { Draft } from "./MentionInput";
import type { Options } from "./options";
import type { Agent } from "./useAgent";
import type { RefObject } from "react";

interface ComposerProps {
  agent: Agent;
  tools: readonly AgentTool[];
  input: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  options: Options;
  onOptions: (change: Partial<Options>) => void;
  isEditing: boolean;
  onCancelEdit: () => void;
  onSend: () => void;
  /** Why nothing can be sent, besides what the turn itself says. */
  blocked: string | false;
  problem: { what: string; error: unknown } | null;
  onDismiss: () => void;
}

/** Where one writes, and on which terms the agent works. Its height changes only with the text in it. */
export function Composer({ agent, tools, input, draft, onDraft, options, onOptions, isEditing, onCancelEdit, onSend, blocked, problem, onDismiss }: ComposerProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const mentionable = useMentionables(typed, agent.subject);
  const [stopping, setStopping] = useState(false);
  const [stopProblem, setStopProblem] = useState<unknown>(null);
  const { current } = agent;
  const isRunning = current?.status === "running";
  const why = reason(agent, draft, blocked, isEditing);
  const stop = async (): Promise<void> => {
    if (!current || stopping) return;
    setStopping(true);
    setStopProblem(null);
    try {
      await agent.stop(current.id);
      input.current?.focus();
    } catch (error) {
      setStopProblem(error);
    }
    setStopping(false);
  };
  return (
    <div className="shrink-0 border-t bg-surface px-3 pt-1.5 pb-2">
      <p role="status" className="flex h-6 min-w-0 items-center gap-1.5 text-sm text-muted">
        <StatusWords agent={agent} waits={!isEditing && agent.waiting > 0 && verdictReason(agent, draft)} />
      </p>
      {problem && <ErrorNote className="mb-2" what={problem.what} error={problem.error} onDismiss={onDismiss} />}
      {stopProblem !== null && <ErrorNote className="mb-2" what={t("agent.itWasNotStopped")} error={stopProblem} onDismiss={() => setStopProblem(null)} />}
      {isEditing && (
        <div className="mb-1 flex items-center gap-2 rounded-md bg-sunken px-2 text-sm text-muted">
          <p className="flex-1 py-1">{t("agent.sendingThisReplacesThatMessageAnd")}</p>
          <IconButton small icon={X} label={t("common.cancel")} onClick={onCancelEdit} />
        </div>
      )}
      <div className="rounded-lg border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-accent">
        <MentionInput
          ref={input}
          label={t("agent.messageToTheAgent")}
          placeholder={placeholder(agent)}
          draft={draft}
          onChange={onDraft}
          onSend={() => !why && onSend()}
          onTyped={setTyped}
          mentionable={mentionable}
        />
        <div className="flex items-center gap-0.5 p-1">
          <div className="flex min-w-0 flex-1 items-center gap-0.5">
            <ModelMenu options={options} onChange={onOptions} />
            <ApprovalMenu options={options} onChange={onOptions} tools={tools} />
            <ToolsMenu options={options} onChange={onOptions} tools={tools} subject={agent.subject} />
          </div>
          {current && (
            <Button small icon={Square} busy={stopping && t("common.stopping")} onClick={() => void stop()}>
              {t("common.stop")}
            </Button>
          )}
          <IconButton
            small
            variant="primary"
            icon={ArrowUp}
            label={isRunning ? t("agent.sendWhileItWorks") : isEditing ? t("agent.sendInstead") : t("agent.send")}
            disabledBecause={why}
            onClick={onSend}
          />
        </div>
      </div>
    </div>
  );
}

function placeholder(agent: Agent): string {
  if (agent.current?.status === "running") return t("agent.saySomethingWhileItWorks");
  return onlyCard(agent.current) ? t("agent.yesOrNoDecidesOnThe") : asks(agent.subject.kind);
}

function asks(about: Agent["subject"]["kind"]): string {
  return about === "project" ? t("agent.askOrSayWhatToWrite") : t("agent.askOrMentionASchemaPrompt");
}

/** Why the message cannot be sent now. */
function reason(agent: Agent, draft: Draft, blocked: string | false, isEditing: boolean): string | false {
  if (agent.sending !== null) return t("agent.yourLastMessageIsOnIts");
  if (!isEditing && agent.waiting > 0) return verdictReason(agent, draft);
  if (!draft.text.trim()) return t("agent.writeAMessageFirst");
  return blocked;
}

/** While one card waits, the field takes yes and no, and nothing else. */
function verdictReason(agent: Agent, draft: Draft): string | false {
  if (!onlyCard(agent.current) || !draft.text.trim()) return waitsWords(agent);
  return verdictIn(draft.text) ? false : t("agent.onlyYesOrNoDecidesHere");
}

function waitsWords(agent: Agent): string {
  if (agent.current?.status === "awaiting_input") return t("agent.answerTheAgentsQuestionFirstOr");
  return agent.waiting === 1 ? t("agent.decideOnThePendingActionFirst") : t("agent.decideOnTheWaitingPendingActions", { waiting: agent.waiting });
}

function StatusWords({ agent, waits }: { agent: Agent; waits: string | false }) {
  const { current, conversation } = agent;
  if (current && !conversation.isConnected) {
    return <>{t("agent.connectionLostReconnectingTheAgentKeeps")}</>;
  }
  if (agent.sending !== null) return <Working>{t("common.sending")}</Working>;
  if (!current) return null;
  if (agent.waiting > 0) return <span className="truncate text-warm">{waits || waitsWords(agent)}</span>;
  const step = current.step ? t("agent.stepOfAtMost", { step: current.step, maxSteps: current.maxSteps }) : "";
  return <Working>{t("agent.workingStep", { step })}</Working>;
}

function Working({ children }: { children: React.ReactNode }) {
  return (
    <>
      <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin" />
      <span className="truncate">{children}</span>
    </>
  );
}
