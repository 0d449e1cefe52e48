/** The log of a turn as the server tells it (`GET .../turns/{turn}/events`): stored events with a number, and pieces without. */

export type Phase = "act" | "reason" | "observe" | "plan";

export interface Grant {
  kind: "read_only" | "organization_rule" | "remembered_rule" | "request" | "user" | "loop" | "proposal" | "act";
  rule_id?: string | null;
  user_id?: string | null;
}

export type Part =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "call"; id: string; name: string; arguments: string };

/** What a call would change; `kind` says how to read the rest (docs/tools.md). */
export type Preview = Record<string, unknown> & { kind: string };

export interface RequestedCall {
  id: string;
  name: string;
  arguments: string;
  summary: string;
  preview?: Preview | null;
  asks?: boolean;
}

export interface Mention {
  type: "schema" | "prompt" | "tag" | "document" | "living_document";
  id: string;
}

interface Payloads {
  turn_started: {
    model: string;
    strategy: string;
    max_steps: number;
    auto_approve?: boolean;
    auto_approved_tools?: string[];
    mentions?: Mention[];
  };
  user_message: { text: string };
  step_started: { step: number };
  reason: { step: number; text: string };
  observe: { step: number; text: string };
  assistant_message: { step: number; parts: Part[]; model: string; closing?: boolean };
  approval_requested: { calls: RequestedCall[] };
  approval_decided: {
    call_id: string;
    approved: boolean;
    user_id: string;
    arguments?: string | null;
    reason?: string | null;
    rule_id?: string | null;
    /** Those parts of the change that were accepted, by number, if not all of them. */
    hunks?: number[] | null;
  };
  approval_expired: { call_ids: string[] };
  tool_started: { call_id: string; name: string; arguments: string; grant: Grant };
  tool_progress: { call_id: string; done: number; total: number; message?: string };
  tool_result: {
    call_id: string;
    name: string;
    content: string;
    is_error?: boolean;
    ran?: boolean;
    summary?: string;
    undo?: unknown;
    milliseconds?: number;
    credits?: number;
  };
  plan: { revision: number; steps: { text: string; done?: boolean }[]; waits?: boolean };
  plan_decided: { revision: number; approved: boolean; user_id: string; steps?: string[] | null; reason?: string | null };
  steered: { text: string; user_id: string };
  context_trimmed: { dropped_messages: number; dropped_tokens: number; kept_tokens: number };
  input_requested: { question: string; call_id?: string | null; choices?: string[]; expires_at?: string | null };
  input_given: { text: string; user_id: string };
  input_timed_out: { question: string };
  usage: {
    model: string;
    purpose: string;
    input_tokens: number;
    output_tokens: number;
    cached_input_tokens?: number;
    credits?: number;
    cost?: number;
    milliseconds?: number;
  };
  asked_again: { step: number; purpose: string };
  undone: { call_id: string; user_id: string; summary: string };
  stopped: { reason: string; user_id?: string | null; kept?: string[]; text?: string };
  limit_reached: {
    limit: "steps" | "time" | "tokens" | "credits" | "calls_per_step" | "calls_per_turn";
    text: string;
  };
  failed: { error: string; code: string; text?: string };
  completed: {
    text: string;
    steps: number;
    shortfall?: "empty" | "cut_off" | "filtered" | null;
    /** What the answer lacks, in words. It is the text too if the model said nothing. */
    note?: string;
  };
}

export type EventType = keyof Payloads;

/** An event of the log: numbered within its turn, written once, never changed. */
export type LogEvent = { [T in EventType]: { seq: number; at: string; type: T } & Payloads[T] }[EventType];

/** A piece of a reply while it comes. `receivedAt` is ours, in milliseconds. */
export interface Delta {
  type: "text_delta" | "thinking_delta";
  text: string;
  step: number;
  phase: Phase;
  receivedAt?: number;
}

/** A piece of a call that the model is still writing: the next characters of its arguments. */
export interface CallDelta {
  type: "call_delta";
  text: string;
  step: number;
  phase: Phase;
  /** Which call of the reply it is, counted from 0. */
  call: number;
  /** The tool's name, in the first piece of a call. */
  begins?: string;
}

/** The stream was opened (again): the server tells the unfinished reply from its beginning. */
export interface Opened {
  type: "opened";
}

export type LogItem = LogEvent | Delta | CallDelta | Opened;

/** The last line of a stream that cannot go on: one has left the organisation, or the turn was deleted. */
export interface BrokenOff {
  type: "error";
  error: string;
  code: string;
}

export type TurnStatus =
  | "running"
  | "awaiting_approval"
  | "awaiting_input"
  | "completed"
  | "stopped"
  | "limit_reached"
  | "failed";

export function isOver(status: TurnStatus): boolean {
  return status === "completed" || status === "stopped" || status === "limit_reached" || status === "failed";
}
