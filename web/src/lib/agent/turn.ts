import type { Grant, Mention, Phase, Preview, TurnStatus } from "./events";

/** A call that the model proposed, and what became of it. */
export interface Call {
  /** Unique in the turn; providers may use an id twice. */
  key: string;
  id: string;
  name: string;
  arguments: string;
  summary: string | null;
  preview: Preview | null;
  /** False for a call that waits only because its batch does. */
  asks: boolean;
  stage: "proposed" | "waiting" | "decided" | "running" | "over";
  /** What it would change has changed since it was first shown. */
  renewed: boolean;
  expired: boolean;
  /** The turn ended before it was decided or had run. */
  dropped: boolean;
  decision: Decision | null;
  grant: Grant | null;
  /** The arguments that really ran. */
  ran: string | null;
  progress: { done: number; total: number; message: string } | null;
  result: CallResult | null;
  undone: { summary: string; userId: string; at: string } | null;
}

export interface Decision {
  approved: boolean;
  userId: string;
  at: string;
  reason: string | null;
  edited: boolean;
  remembered: boolean;
  /** How many parts of the change were accepted, if not all of them. */
  accepted: number | null;
}

export interface CallResult {
  content: string;
  isError: boolean;
  /** False when nothing happened: refused, stopped or broken. */
  ran: boolean;
  summary: string;
  milliseconds: number;
  canUndo: boolean;
  at: string;
}

export interface PlanVerdict {
  approved: boolean;
  userId: string;
  at: string;
  steps: string[] | null;
  reason: string | null;
}

interface Placed {
  /** Stays the same from the first piece of a text to its end, so that nothing is redrawn. */
  id: string;
  step: number;
}

export type Block = Placed &
  (
    | { type: "user"; text: string; at: string; steered: boolean }
    | { type: "thinking"; text: string; isLive: boolean; seconds: number | null }
    | { type: "text"; text: string; isLive: boolean }
    | { type: "phase"; phase: "reason" | "observe" | "plan"; text: string; isLive: boolean }
    | { type: "call"; key: string }
    /** A call that is being written; its arguments are JSON as far as it has come. */
    | { type: "writing"; name: string; arguments: string }
    | { type: "plan"; revision: number; steps: { text: string; done: boolean }[]; waits: boolean; verdict: PlanVerdict | null }
    | { type: "question"; question: string; choices: string[]; expiresAt: string | null; answer: string | null; timedOut: boolean }
    | { type: "trimmed"; messages: number }
    | { type: "end"; end: "stopped"; reason: string; kept: string[] }
    | { type: "end"; end: "limit_reached"; limit: string }
    | { type: "end"; end: "completed"; note: string }
    | { type: "end"; end: "failed"; error: string; code: string }
  );

/** The reply that is still coming. */
export interface Draft {
  phase: Phase;
  step: number;
  text: string;
  thinking: string;
  thinkingFrom: number | null;
  thinkingTo: number | null;
  calls: { name: string; arguments: string }[];
}

export interface Usage {
  input: number;
  output: number;
  credits: number;
  cost: number;
}

/** A turn as people see it. Made from its log alone, whether that comes live, after a reload or from long ago. */
export interface TurnFold {
  id: string;
  seq: number;
  status: TurnStatus;
  model: string;
  strategy: string;
  maxSteps: number;
  autoApprove: boolean;
  mentions: Mention[];
  startedAt: string | null;
  endedAt: string | null;
  step: number;
  blocks: Block[];
  calls: Record<string, Call>;
  usage: Usage;
  /** How many replies of the model are complete; names the blocks of the next one. */
  replies: number;
  draft: Draft | null;
}

export function emptyTurn(id: string): TurnFold {
  return {
    id,
    seq: 0,
    status: "running",
    model: "",
    strategy: "",
    maxSteps: 0,
    autoApprove: false,
    mentions: [],
    startedAt: null,
    endedAt: null,
    step: 0,
    blocks: [],
    calls: {},
    usage: { input: 0, output: 0, credits: 0, cost: 0 },
    replies: 0,
    draft: null,
  };
}
