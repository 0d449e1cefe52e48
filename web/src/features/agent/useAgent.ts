import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";

import * as actions from "@/lib/agent/actions";
import type { Verdict } from "@/lib/agent/actions";
import { isOver } from "@/lib/agent/events";
import { waitingCount } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";
import { chatAddress, chatPlaces } from "@/lib/agent/subject";
import type { Subject } from "@/lib/agent/subject";
import { api, ask } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";

import { Conversation, NO_CONVERSATION } from "./conversation";
import { useRefresh } from "./useRefresh";
import { useThreads } from "./useThreads";

import type { ConversationState } from "./conversation";
import type { Thread } from "./useThreads";

const NEW = "new";
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("docagent.agent");

export type Sent = Omit<actions.Message, "messages" | "thread_id" | "background" | "stream">;

export interface Agent {
  subject: Subject;
  threadId: string | null;
  threads: readonly Thread[] | undefined;
  threadsError: unknown;
  conversation: ConversationState;
  /** The turn that runs or waits. */
  current: TurnFold | null;
  /** How much of it waits for the user. */
  waiting: number;
  /** A message that is on its way to the server. */
  sending: string | null;
  /** Begin another conversation (null), or go to one. */
  choose: (threadId: string | null) => void;
  retry: () => void;
  /** Send a message; with `replacing` it takes the place of that turn and of all that came after it. */
  send: (text: string, sent: Sent, replacing?: string) => Promise<void>;
  decide: (turnId: string, verdicts: Verdict[]) => Promise<void>;
  decidePlan: (turnId: string, decision: Parameters<typeof actions.decidePlan>[2]) => Promise<void>;
  answer: (turnId: string, given: Parameters<typeof actions.answer>[2]) => Promise<void>;
  steer: (turnId: string, text: string) => Promise<void>;
  stop: (turnId: string) => Promise<void>;
  undo: (turnId: string, callId: string) => Promise<void>;
}

/** The agent of a document or a project: goes on listening while another tab of the page is shown. */
export function useAgent({ kind, id: subjectId }: Subject): Agent {
  const { id: organizationId } = useOrganization();
  const subject = useMemo<Subject>(() => ({ kind, id: subjectId }), [kind, subjectId]);
  const { data: threads, error: threadsError, refetch } = useThreads(subject);
  const [threadId, choose] = useThreadInAddress(threads);
  const refreshLists = useRefresh(subject);
  const [sending, setSending] = useState<string | null>(null);
  const [openedAt] = useState(() => performance.now());

  const conversation = useMemo(
    () => (threadId === null ? null : new Conversation({ organizationId, subject, threadId, openedAt }, refreshLists)),
    [organizationId, subject, threadId, openedAt, refreshLists],
  );
  const state = useSyncExternalStore(
    useCallback((changed) => conversation?.state.subscribe(changed) ?? (() => undefined), [conversation]),
    () => conversation?.state.get() ?? NO_CONVERSATION,
  );
  useUpToDate(conversation, threadId, threads);

  const told = useCallback(async () => {
    channel?.postMessage({ threadId });
    await conversation?.refresh();
  }, [conversation, threadId]);
  const last = state.turns.at(-1);
  const current = last && !isOver(last.status) ? last : null;

  const send: Agent["send"] = async (text, sent, replacing) => {
    setSending(text);
    try {
      const thread = threadId ?? (await newThread(organizationId, subject));
      const keep = replacing === undefined ? undefined : await countBefore(organizationId, subject, thread, replacing);
      await actions.startTurn(organizationId, subject, {
        ...sent,
        messages: [{ role: "user", content: text }],
        thread_id: thread,
        truncate_thread_to_message_count: keep,
      });
      channel?.postMessage({ threadId: thread });
      await Promise.all([threadId === null ? choose(thread) : conversation?.refresh(), refetch()]);
    } finally {
      setSending(null);
    }
  };
  const then = async (action: Promise<void>): Promise<void> => {
    await action;
    await told();
  };
  return {
    subject,
    threadId,
    threads,
    threadsError,
    conversation: state,
    current,
    waiting: current ? waitingCount(current) : 0,
    sending,
    choose: (next) => void choose(next),
    retry: () => void Promise.all([refetch(), conversation?.refresh()]),
    send,
    decide: (turnId, verdicts) => then(actions.decide(organizationId, subject, turnId, verdicts)),
    decidePlan: (turnId, decision) => then(actions.decidePlan(organizationId, turnId, decision)),
    answer: (turnId, given) => then(actions.answer(organizationId, turnId, given)),
    steer: (turnId, text) => actions.steer(organizationId, turnId, text),
    stop: (turnId) => then(actions.stop(organizationId, turnId)),
    undo: async (turnId, callId) => {
      await actions.undo(organizationId, turnId, callId);
      refreshLists([{ seq: 0, at: "", type: "undone", call_id: callId, user_id: "", summary: "" }]);
      await told();
    },
  };
}

/** Which conversation is shown: the one in the address, else the last used one. */
function useThreadInAddress(threads: readonly Thread[] | undefined): [string | null, (threadId: string | null) => Promise<void>] {
  const { thread }: { thread?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const first = threads?.[0]?.id ?? null;
  const [kept, setKept] = useState<string | null>(null);
  // Without a choice, stay with the one that was shown first, whatever moves to the top of the list.
  if (threads && kept !== first && !threads.some((one) => one.id === kept)) setKept(first);
  const chosen = typeof thread === "string" ? (thread === NEW ? null : thread) : kept;
  const choose = useCallback(
    (threadId: string | null) =>
      navigate({ to: ".", search: (old: object) => ({ ...old, thread: threadId ?? NEW }), replace: true }),
    [navigate],
  );
  return [chosen, choose];
}

/** Loads the conversation, and again when another tab or another place may have moved it on. */
function useUpToDate(conversation: Conversation | null, threadId: string | null, threads: readonly Thread[] | undefined): void {
  const changedAt = threads?.find((thread) => thread.id === threadId)?.updated_at;
  useEffect(() => {
    conversation?.open();
    return () => conversation?.close();
  }, [conversation]);
  useEffect(() => {
    if (changedAt) void conversation?.refresh();
  }, [conversation, changedAt]);
  useEffect(() => {
    if (!conversation) return;
    const look = (): void => void conversation.refresh();
    const heard = (event: MessageEvent<{ threadId: string }>): void => {
      if (event.data.threadId === threadId) look();
    };
    channel?.addEventListener("message", heard);
    window.addEventListener("focus", look);
    return () => {
      channel?.removeEventListener("message", heard);
      window.removeEventListener("focus", look);
    };
  }, [conversation, threadId]);
}

async function newThread(organizationId: string, subject: Subject): Promise<string> {
  const made = await ask(
    api.POST(chatAddress(subject, "/threads"), { params: { path: chatPlaces(organizationId, subject) }, body: {} }),
  );
  return made.thread_id;
}

/** How many messages of the thread come before a turn. */
async function countBefore(organizationId: string, subject: Subject, threadId: string, turnId: string): Promise<number> {
  const thread = await ask(
    api.GET(chatAddress(subject, "/threads/{thread_id}"), {
      params: { path: { ...chatPlaces(organizationId, subject), thread_id: threadId } },
    }),
  );
  const index = thread.messages.findIndex((message) => message.turn_id === turnId);
  return index < 0 ? thread.messages.length : index;
}
