import type { CallDelta, LogEvent, LogItem, Part, Phase, RequestedCall, TurnStatus } from "./events";
import type { Block, Call, Draft, PlanVerdict, TurnFold } from "./turn";

export { emptyTurn } from "./turn";
export type { Block, Call, CallResult, Decision, PlanVerdict, TurnFold, Usage } from "./turn";

export function foldAll(turn: TurnFold, items: readonly LogItem[]): TurnFold {
  return items.reduce(fold, turn);
}

/** The turn after one more item. An event that was seen already changes nothing, so streams may overlap. */
export function fold(turn: TurnFold, item: LogItem): TurnFold {
  switch (item.type) {
    case "opened":
      return turn.draft ? { ...turn, draft: null } : turn;
    case "text_delta":
    case "thinking_delta":
    case "call_delta":
      return { ...turn, draft: grown(turn.draft, item) };
    default:
      return item.seq <= turn.seq ? turn : { ...apply(turn, item), seq: item.seq };
  }
}

function grown(draft: Draft | null, delta: Extract<LogItem, { phase: Phase }>): Draft {
  const same = draft && draft.phase === delta.phase && draft.step === delta.step;
  const begun: Draft = same
    ? draft
    : { phase: delta.phase, step: delta.step, text: "", thinking: "", thinkingFrom: null, thinkingTo: null, calls: [] };
  if (delta.type === "call_delta") return { ...begun, calls: written(begun.calls, delta) };
  const now = delta.receivedAt ?? null;
  if (delta.type === "thinking_delta") {
    return { ...begun, thinking: begun.thinking + delta.text, thinkingFrom: begun.thinkingFrom ?? now, thinkingTo: now };
  }
  return { ...begun, text: begun.text + delta.text };
}

/** A call that begins again takes the place of what was told of it and of later ones: the model was asked again. */
function written(calls: Draft["calls"], { call, begins, text }: CallDelta): Draft["calls"] {
  if (begins !== undefined) return [...calls.slice(0, call), { name: begins, arguments: text }];
  return calls.map((one, number) => (number === call ? { ...one, arguments: one.arguments + text } : one));
}

function apply(turn: TurnFold, event: LogEvent): TurnFold {
  const id = `e${event.seq}`;
  const step = turn.step;
  switch (event.type) {
    case "turn_started":
      return {
        ...turn,
        model: event.model,
        strategy: event.strategy,
        maxSteps: event.max_steps,
        autoApprove: event.auto_approve ?? false,
        mentions: event.mentions ?? [],
        startedAt: event.at,
      };
    case "user_message":
      return added(turn, { id, step, type: "user", text: event.text, at: event.at, steered: false });
    case "steered":
      return added(turn, { id, step, type: "user", text: event.text, at: event.at, steered: true });
    case "step_started":
      return { ...turn, step: event.step, status: "running" };
    case "reason":
    case "observe":
      return phased(turn, event.type, event.step, event.text);
    case "assistant_message":
      return replied(turn, event.step, event.parts);
    case "approval_requested":
      return requested(turn, event.calls);
    case "approval_decided":
      return decided(turn, event);
    case "approval_expired":
      return event.call_ids.reduce((now, call) => changed(now, call, { expired: true, stage: "over" }), turn);
    case "tool_started":
      return {
        ...changed(turn, event.call_id, { stage: "running", grant: event.grant, ran: event.arguments }),
        status: "running",
      };
    case "tool_progress":
      return changed(turn, event.call_id, {
        progress: { done: event.done, total: event.total, message: event.message ?? "" },
      });
    case "tool_result":
      return finished(turn, event);
    case "plan":
      return planned(turn, event, id);
    case "plan_decided":
      return planDecided(turn, event);
    case "context_trimmed":
      return added(turn, { id, step, type: "trimmed", messages: event.dropped_messages });
    case "input_requested":
      return {
        ...added(turn, {
          id,
          step,
          type: "question",
          question: event.question,
          choices: event.choices ?? [],
          expiresAt: event.expires_at ?? null,
          answer: null,
          timedOut: false,
        }),
        status: "awaiting_input",
      };
    case "input_given":
      return { ...question(turn, { answer: event.text }), status: "running" };
    case "input_timed_out":
      return question(turn, { timedOut: true });
    case "usage":
      return {
        ...turn,
        usage: {
          input: turn.usage.input + event.input_tokens,
          output: turn.usage.output + event.output_tokens,
          credits: turn.usage.credits + (event.credits ?? 0),
          cost: turn.usage.cost + (event.cost ?? 0),
        },
      };
    case "asked_again":
      return { ...turn, draft: null };
    case "undone":
      return changed(turn, event.call_id, {
        undone: { summary: event.summary, userId: event.user_id, at: event.at },
      });
    case "completed":
      if (!event.note) return { ...withAnswer(turn, event.text), status: "completed", endedAt: event.at };
      return ended(withAnswer(turn, event.text === event.note ? "" : event.text), "completed", event.at, {
        id, step, type: "end", end: "completed", note: event.note,
      });
    case "limit_reached":
      return ended(withAnswer(turn, event.text), "limit_reached", event.at, {
        id, step, type: "end", end: "limit_reached", limit: event.limit,
      });
    case "stopped":
      return ended(withAnswer(turn, event.text ?? ""), "stopped", event.at, {
        id, step, type: "end", end: "stopped", reason: event.reason, kept: event.kept ?? [],
      });
    case "failed":
      return ended(withAnswer(turn, event.text ?? ""), "failed", event.at, {
        id, step, type: "end", end: "failed", error: event.error, code: event.code,
      });
    default:
      // An event of a later version: the rest of the log is still true.
      return turn;
  }
}

function added(turn: TurnFold, ...blocks: Block[]): TurnFold {
  return { ...turn, blocks: [...turn.blocks, ...blocks] };
}

function replied(turn: TurnFold, step: number, parts: readonly Part[]): TurnFold {
  const calls = { ...turn.calls };
  const blocks: Block[] = [];
  const count = { text: 0, thinking: 0 };
  for (const [position, part] of parts.entries()) {
    if (part.type === "call") {
      const key = `${turn.replies}.${position}.${part.id}`;
      calls[key] = newCall(key, part);
      blocks.push({ id: key, step, type: "call", key });
    } else if (part.text.trim()) {
      const id = replyId(turn, part.type, count[part.type]++);
      if (part.type === "text") blocks.push({ id, step, type: "text", text: part.text, isLive: false });
      else blocks.push({ id, step, type: "thinking", text: part.text, isLive: false, seconds: thought(turn.draft) });
    }
  }
  return { ...added(turn, ...blocks), calls, replies: turn.replies + 1, draft: null };
}

function replyId(turn: TurnFold, kind: "text" | "thinking" | "phase" | "writing", position = 0): string {
  return `r${turn.replies}.${kind}.${position}`;
}

function thought(draft: Draft | null): number | null {
  if (!draft || draft.thinkingFrom === null || draft.thinkingTo === null) return null;
  return Math.max(0, draft.thinkingTo - draft.thinkingFrom) / 1000;
}

function phased(turn: TurnFold, phase: "reason" | "observe", step: number, text: string): TurnFold {
  const block: Block = { id: replyId(turn, "phase"), step, type: "phase", phase, text, isLive: false };
  return { ...(text.trim() ? added(turn, block) : turn), replies: turn.replies + 1, draft: null };
}

function newCall(key: string, part: Extract<Part, { type: "call" }>): Call {
  return {
    key,
    id: part.id,
    name: part.name,
    arguments: part.arguments,
    summary: null,
    preview: null,
    asks: false,
    stage: "proposed",
    renewed: false,
    expired: false,
    dropped: false,
    decision: null,
    grant: null,
    ran: null,
    progress: null,
    result: null,
    undone: null,
  };
}

/** The newest call with this id. */
function callOf(turn: TurnFold, callId: string): Call | undefined {
  return Object.values(turn.calls).findLast((call) => call.id === callId);
}

function changed(turn: TurnFold, callId: string, change: Partial<Call>): TurnFold {
  const call = callOf(turn, callId);
  return call ? { ...turn, calls: { ...turn.calls, [call.key]: { ...call, ...change } } } : turn;
}

function requested(turn: TurnFold, calls: readonly RequestedCall[]): TurnFold {
  const asked = calls.reduce((now, wanted) => {
    const before = callOf(now, wanted.id);
    return changed(now, wanted.id, {
      summary: wanted.summary,
      preview: wanted.preview ?? null,
      arguments: wanted.arguments,
      asks: wanted.asks ?? true,
      stage: "waiting",
      decision: wanted.asks === false ? (before?.decision ?? null) : null,
      renewed: before?.stage === "waiting" || before?.stage === "decided",
    });
  }, turn);
  return { ...asked, status: "awaiting_approval" };
}

function decided(turn: TurnFold, event: Extract<LogEvent, { type: "approval_decided" }>): TurnFold {
  const now = changed(turn, event.call_id, {
    stage: "decided",
    decision: {
      approved: event.approved,
      userId: event.user_id,
      at: event.at,
      reason: event.reason ?? null,
      edited: (event.arguments ?? null) !== null,
      remembered: (event.rule_id ?? null) !== null,
      accepted: event.hunks?.length ?? null,
    },
  });
  return waitingCalls(now).length ? now : { ...now, status: "running" };
}

function finished(turn: TurnFold, event: Extract<LogEvent, { type: "tool_result" }>): TurnFold {
  return changed(turn, event.call_id, {
    stage: "over",
    progress: null,
    result: {
      content: event.content,
      isError: event.is_error ?? false,
      ran: event.ran ?? true,
      summary: event.summary ?? "",
      milliseconds: event.milliseconds ?? 0,
      canUndo: (event.undo ?? null) !== null,
      at: event.at,
    },
  });
}

/** A plan of the same revision is the same plan with steps done; another one is new. */
function planned(turn: TurnFold, event: Extract<LogEvent, { type: "plan" }>, id: string): TurnFold {
  const steps = event.steps.map((item) => ({ text: item.text, done: item.done ?? false }));
  const waits = event.waits ?? false;
  const status: TurnStatus = waits ? "awaiting_approval" : turn.status;
  const index = turn.blocks.findLastIndex((block) => block.type === "plan" && block.revision === event.revision);
  const old = turn.blocks[index];
  const next = { ...turn, status, draft: null, replies: turn.replies + 1 };
  if (old?.type !== "plan") {
    return added(next, { id, step: turn.step, type: "plan", revision: event.revision, steps, waits, verdict: null });
  }
  return { ...next, blocks: turn.blocks.with(index, { ...old, steps, waits }) };
}

function planDecided(turn: TurnFold, event: Extract<LogEvent, { type: "plan_decided" }>): TurnFold {
  const verdict: PlanVerdict = {
    approved: event.approved,
    userId: event.user_id,
    at: event.at,
    steps: event.steps ?? null,
    reason: event.reason ?? null,
  };
  const blocks = turn.blocks.map((block) =>
    block.type === "plan" && block.revision === event.revision ? { ...block, waits: false, verdict } : block,
  );
  return { ...turn, blocks, status: "running" };
}

function question(turn: TurnFold, change: { answer?: string; timedOut?: boolean }): TurnFold {
  const index = turn.blocks.findLastIndex((block) => block.type === "question");
  const old = turn.blocks[index];
  if (old?.type !== "question") return turn;
  return { ...turn, blocks: turn.blocks.with(index, { ...old, ...change }) };
}

/** The last words, when no reply holds them yet: an unfinished reply, or an answer that the loop wrote itself. */
function withAnswer(turn: TurnFold, text: string): TurnFold {
  const last = turn.blocks.findLast((block) => block.type === "text");
  const next = { ...turn, draft: null };
  if (!text.trim() || (last?.type === "text" && last.text.trim() === text.trim())) return next;
  return { ...added(next, { id: replyId(turn, "text"), step: turn.step, type: "text", text, isLive: false }), replies: turn.replies + 1 };
}

function ended(turn: TurnFold, status: TurnStatus, at: string, end: Block): TurnFold {
  const calls = Object.entries(turn.calls).map(([key, call]): [string, Call] =>
    call.stage === "over" ? [key, call] : [key, { ...call, stage: "over", dropped: true, progress: null }],
  );
  return { ...added(turn, end), calls: Object.fromEntries(calls), status, endedAt: at };
}

const BLOCK_OF_DATA = /\n*```(?:json)?[\s\S]*$/;

/** The blocks with the reply that is still coming at their end. */
export function blocksNow(turn: TurnFold): Block[] {
  const { draft } = turn;
  if (!draft) return turn.blocks;
  const live: Block[] = [];
  const { step } = draft;
  if (draft.thinking.trim()) {
    const isLive = !draft.text && !draft.calls.length;
    live.push({ id: replyId(turn, "thinking"), step, type: "thinking", text: draft.thinking, isLive, seconds: isLive ? null : thought(draft) });
  }
  if (draft.phase === "act") {
    if (draft.text.trim()) live.push({ id: replyId(turn, "text"), step, type: "text", text: draft.text, isLive: true });
  } else {
    const text = draft.text.replace(BLOCK_OF_DATA, "");
    live.push({ id: replyId(turn, "phase"), step, type: "phase", phase: draft.phase, text, isLive: true });
  }
  for (const [number, call] of draft.calls.entries()) live.push({ id: replyId(turn, "writing", number), step, type: "writing", ...call });
  return [...turn.blocks, ...live];
}

/** Calls that need the user's verdict now. */
export function waitingCalls(turn: TurnFold): Call[] {
  return Object.values(turn.calls).filter((call) => call.stage === "waiting" && call.asks);
}

/** How many things of this turn wait for the user. */
export function waitingCount(turn: TurnFold): number {
  if (turn.status === "awaiting_input") return 1;
  if (turn.status !== "awaiting_approval") return 0;
  return waitingCalls(turn).length || 1;
}
