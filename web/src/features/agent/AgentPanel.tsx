import { useEffect, useMemo, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { prepareMarkdown } from "@/components/Markdown";
import { ErrorNote, Loading } from "@/components/Notes";
import { choicesOf } from "@/lib/agent/choices";
import { waitingCalls } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";
import { useAgentTools } from "@/lib/api/agent";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useListedShortcuts } from "@/lib/shortcuts";

import { AllAtOnce } from "./AllAtOnce";
import { Composer } from "./Composer";
import { EmptyAgent } from "./EmptyAgent";
import { Fold } from "./Fold";
import { MessageList } from "./MessageList";
import { Threads } from "./Threads";
import { TurnFooter } from "./TurnFooter";
import { TurnRows } from "./TurnRows";
import { UserMessage } from "./UserMessage";
import { useDraft } from "./drafts";
import { useOwnLinks } from "./links";
import { mentionsIn } from "./mentions";
import { sentWith, useOptions } from "./options";
import { useAttention } from "./useAttention";
import { useOpenDocument } from "./useOpenDocument";
import { useSteady } from "./useSteady";
import { useSteering } from "./useSteering";
import { useWaitingFocus, waitingNames } from "./useWaitingFocus";
import { onlyCard, verdictIn } from "./verdictWords";

import type { Draft } from "./MentionInput";
import type { Agent } from "./useAgent";
import type { ReactNode } from "react";

interface AgentPanelProps {
  agent: Agent;
  /** The current extraction, as its own tab shows it; the note stands beside its title. */
  extraction?: { note: string; content: ReactNode };
  /** The document of the project that is open beside it. */
  openDocument?: string | null;
  /** Why the agent cannot be asked yet, such as a document that is still being read. */
  blocked?: string | false;
  /** The user wants to write at once; said until the input has the focus. */
  writes?: boolean;
  onWriting?: () => void;
}

const KEYS = [
  { keys: "a", get does() { return t("common.approve"); }, get group() { return t("agent.aCardThatWaits"); } },
  { keys: "e", get does() { return t("common.edit"); }, get group() { return t("agent.aCardThatWaits"); } },
  { keys: "r", get does() { return t("common.reject"); }, get group() { return t("agent.aCardThatWaits"); } },
  { keys: "Enter", get does() { return t("agent.send"); }, get group() { return t("agent.messageToTheAgent"); } },
  { keys: "@", get does() { return t("agent.mentionSomething"); }, get group() { return t("agent.messageToTheAgent"); } },
];

/** Whether a turn that is done has brought values. */
function extractsAtItsEnd(turn: TurnFold | undefined): boolean {
  return turn?.status === "completed" && Object.values(turn.calls).some(({ name, result }) => name === "run_extraction" && result?.ran && !result.isError);
}

/** The conversation with the agent about a document or a project. */
export function AgentPanel({ agent, extraction, openDocument = null, blocked = false, writes = false, onWriting }: AgentPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const { data: toolbox } = useAgentTools(agent.subject);
  const own = useOwnLinks();
  const { draft, setDraft, putBack } = useDraft(agent.subject.id);
  const [options, setOptions] = useOptions(agent.subject);
  const [editing, setEditing] = useState<{ turnId: string; before: Draft } | null>(null);
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);
  const [sent, setSent] = useState(0);
  const { steered, steer } = useSteering(agent, putBack);
  const { turns, isLoading, error } = agent.conversation;
  const beside = useOpenDocument(agent.subject, openDocument);
  const names = waitingNames(agent.current);
  const flashes = useAttention(agent.current?.status === "awaiting_input" ? names : null);
  useWaitingFocus(panel, input, names);
  useListedShortcuts(KEYS);
  useEffect(prepareMarkdown, []);
  useEffect(() => {
    if (!writes) return;
    input.current?.focus();
    onWriting?.();
  }, [writes, onWriting]);
  useCommands([
    { id: "agent.new", label: t("agent.newConversationWithTheAgent"), run: () => agent.choose(null) },
    { id: "agent.write", label: t("agent.writeToTheAgent"), run: () => input.current?.focus() },
  ]);

  /** A yes or a no in the message field decides on the only card that waits; no other words do. */
  const decideInWords = async (turnId: string, callId: string, written: Draft): Promise<void> => {
    const verdict = verdictIn(written.text);
    if (!verdict) return;
    setDraft({ text: "", chosen: [] });
    try {
      await agent.decide(turnId, [{ call_id: callId, approved: verdict === "yes" }]);
    } catch (reason) {
      putBack(written);
      setProblem({ what: t("common.nothingWasDecided"), error: reason });
    }
  };
  const say = async (written: Draft, replacing?: string): Promise<void> => {
    const text = written.text.trim();
    if (!text) return;
    setProblem(null);
    const card = replacing === undefined ? onlyCard(agent.current) : null;
    if (card && agent.current) return decideInWords(agent.current.id, card.id, written);
    setDraft({ text: "", chosen: [] });
    setEditing(null);
    setSent((count) => count + 1);
    try {
      if (agent.current?.status === "running" && replacing === undefined) await steer(written);
      else await agent.send(text, { ...sentWith(options), ...beside, mentions: mentionsIn(text, written.chosen) }, replacing);
    } catch (reason) {
      putBack(written);
      setProblem({ what: t("agent.theMessageWasNotSentIt"), error: reason });
    }
    setSent((count) => count + 1);
  };
  const write = (text: string): void => {
    setDraft({ text, chosen: [] });
    input.current?.focus();
    requestAnimationFrame(() => input.current?.setSelectionRange(text.length, text.length));
  };
  const edit = (turnId: string, text: string): void => {
    setEditing({ turnId, before: draft });
    setDraft({ text, chosen: [] });
    input.current?.focus();
  };
  const acts = useSteady({ ...agent, edit });
  const isRunning = agent.current?.status === "running";
  const hasExtracted = extractsAtItsEnd(turns.at(-1));
  const together = agent.current?.status === "awaiting_approval" ? waitingCalls(agent.current) : [];
  const editBlocked = isRunning && t("agent.stopTheAgentBeforeYouChange");
  const place = useMemo(() => ({ ...agent.subject, openDocument }), [agent.subject, openDocument]);
  const tools = useMemo(() => toolbox?.tools ?? [], [toolbox]);
  const choices = agent.sending === null && editing === null ? choicesOf(turns.at(-1)) : [];
  const isEmpty = !turns.length && agent.sending === null && !isLoading && !error && agent.threads !== undefined;
  return (
    <section ref={panel} aria-label={t("common.agent")} className="flex h-full min-h-0 flex-col">
      {flashes && <div aria-hidden className="attention pointer-events-none fixed inset-0 z-50 bg-warm-soft" />}
      <Threads agent={agent} />
      <MessageList conversation={agent.threadId} sent={sent}>
        {agent.threadsError !== null && agent.threadsError !== undefined && (
          <ErrorNote what={t("agent.theConversationsCannotBeShown")} error={agent.threadsError} onRetry={agent.retry} />
        )}
        {(isLoading || !agent.threads) && !agent.threadsError && agent.sending === null && !turns.length && <Loading what={t("agent.theConversation")} />}
        {isEmpty && <EmptyAgent about={agent.subject.kind} blocked={blocked} onWrite={write} onSend={(text) => void say({ text, chosen: [] })} />}
        {turns.map((turn) => (
          <div key={turn.id} className="flex flex-col gap-2">
            <TurnRows turn={turn} tools={tools} own={own} acts={acts} place={place} editBlocked={editBlocked} />
            <TurnFooter turn={turn} />
          </div>
        ))}
        {choices.length > 0 && (
          <div role="group" aria-label={t("agent.choices")} className="flex flex-wrap gap-2">
            {choices.map(({ label, says }) => (
              <Button key={says} small disabledBecause={blocked} className="max-w-full" onClick={() => void say({ text: says, chosen: [] })}>
                <span className="truncate">{label}</span>
              </Button>
            ))}
          </div>
        )}
        {steered.map((text, index) => (
          <UserMessage key={index} text={text} at={null} note={t("agent.theAgentReadsThisAtIts")} />
        ))}
        {agent.sending !== null && <UserMessage text={agent.sending} at={null} note={t("common.sending")} />}
        {error !== null && <ErrorNote what={t("agent.theConversationIsNotUpTo")} error={error} onRetry={agent.retry} />}
      </MessageList>
      {agent.current && together.length > 1 && (
        <AllAtOnce key={names} waiting={together} onDecide={(verdicts) => acts.decide(agent.current?.id ?? "", verdicts)} />
      )}
      {extraction && (
        <Fold
          // What has just been extracted is looked at next.
          key={String(hasExtracted)}
          initiallyOpen={hasExtracted}
          className="shrink-0 border-t px-4 py-1"
          title={
            <>
              <span className="text-ink">{t("agent.currentExtraction")}</span>
              <span className="truncate text-sm">{extraction.note}</span>
            </>
          }
        >
          {() => <div className="-ml-3 max-h-72 overflow-y-auto">{extraction.content}</div>}
        </Fold>
      )}
      <Composer
        agent={agent}
        tools={tools}
        input={input}
        draft={draft}
        onDraft={setDraft}
        options={options}
        onOptions={setOptions}
        isEditing={editing !== null}
        onCancelEdit={() => {
          if (editing) setDraft(editing.before);
          setEditing(null);
          input.current?.focus();
        }}
        onSend={() => void say(draft, editing?.turnId)}
        blocked={blocked}
        problem={problem}
        onDismiss={() => setProblem(null)}
      />
    </section>
  );
}
