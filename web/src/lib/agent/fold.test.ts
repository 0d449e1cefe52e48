import { describe, expect, it } from "vitest";

import { blocksNow, emptyTurn, fold, foldAll, waitingCalls, waitingCount } from "./fold";

import type { LogEvent, LogItem } from "./events";

const AT = "2026-03-14T10:00:00Z";
type Bare<T> = T extends LogEvent ? Omit<T, "seq" | "at"> : never;

/** A log as the server numbers it. */
function log(...events: Bare<LogEvent>[]): LogEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: AT }));
}

const BEGIN: Bare<LogEvent>[] = [
  { type: "turn_started", model: "m", strategy: "tools", max_steps: 10 },
  { type: "user_message", text: "Set this up" },
  { type: "step_started", step: 1 },
];
const USAGE: Bare<LogEvent> = { type: "usage", model: "m", purpose: "act", input_tokens: 100, output_tokens: 7, credits: 1, cost: 0.5 };
const calls = (...names: string[]): Bare<LogEvent> => ({
  type: "assistant_message",
  step: 1,
  model: "m",
  parts: [
    { type: "thinking", text: "Hm." },
    { type: "text", text: "I propose:" },
    ...names.map((name) => ({ type: "call" as const, id: `c-${name}`, name, arguments: "{}" })),
  ],
});
const asks = (...names: string[]): Bare<LogEvent> => ({
  type: "approval_requested",
  calls: names.map((name) => ({ id: `c-${name}`, name, arguments: "{}", summary: `Do ${name}`, preview: { kind: "tag" } })),
});
const decided = (name: string, approved: boolean, more: object = {}): Bare<LogEvent> => ({
  type: "approval_decided", call_id: `c-${name}`, approved, user_id: "u", ...more,
});
const result = (name: string, more: object = {}): Bare<LogEvent> => ({
  type: "tool_result", call_id: `c-${name}`, name, content: "{}", summary: `Did ${name}`, undo: {}, milliseconds: 20, ...more,
});

const WHOLE = log(
  ...BEGIN,
  USAGE,
  calls("create_tag", "delete_tag"),
  asks("create_tag", "delete_tag"),
  decided("create_tag", true, { arguments: "{\"name\":\"b\"}" }),
  decided("delete_tag", false, { reason: "keep it" }),
  { type: "tool_started", call_id: "c-create_tag", name: "create_tag", arguments: "{\"name\":\"b\"}", grant: { kind: "user", user_id: "u" } },
  result("create_tag"),
  result("delete_tag", { is_error: true, ran: false, undo: null }),
  { type: "step_started", step: 2 },
  USAGE,
  { type: "assistant_message", step: 2, model: "m", parts: [{ type: "text", text: "Done." }] },
  { type: "completed", text: "Done.", steps: 2 },
  { type: "undone", call_id: "c-create_tag", user_id: "u", summary: "Tag is deleted again" },
);

describe("fold", () => {
  it("shows what an answer lacks, once", () => {
    const said: Bare<LogEvent> = { type: "assistant_message", step: 1, model: "m", parts: [{ type: "text", text: "The total is" }] };
    const note = "The answer was cut off.";
    const cut = foldAll(emptyTurn("t"), log(...BEGIN, said, { type: "completed", text: "The total is", steps: 1, shortfall: "cut_off", note }));
    expect(cut.status).toBe("completed");
    expect(cut.blocks.slice(1).map((block) => ("text" in block ? block.text : block.type === "end" && block.end === "completed" && block.note))).toEqual(["The total is", note]);
    const again: Bare<LogEvent> = { type: "asked_again", step: 1, purpose: "act" };
    const empty = foldAll(emptyTurn("t"), log(...BEGIN, again, { type: "completed", text: note, steps: 1, shortfall: "empty", note }));
    expect(empty.blocks.slice(1)).toEqual([{ id: "e5", step: 1, type: "end", end: "completed", note }]);
  });

  it("makes the same turn of a log whether it comes at once, piece by piece, or twice", () => {
    const whole = foldAll(emptyTurn("t"), WHOLE);
    let live = emptyTurn("t");
    for (const event of WHOLE) {
      live = fold(live, { type: "opened" });
      live = fold(live, { type: "text_delta", text: "…", step: 1, phase: "act", receivedAt: 0 });
      live = foldAll(live, [event, ...WHOLE.slice(0, 3)]);
    }
    expect(live.blocks).toEqual(whole.blocks);
    expect(live.calls).toEqual(whole.calls);
    expect(live.usage).toEqual(whole.usage);
    expect(whole.blocks.map((block) => block.type)).toEqual(["user", "thinking", "text", "call", "call", "text"]);
    expect(whole.usage).toEqual({ input: 200, output: 14, credits: 2, cost: 1 });
    expect(whole.status).toBe("completed");
  });

  it("waits for each verdict by itself and keeps who decided what", () => {
    const upTo = (count: number) => foldAll(emptyTurn("t"), WHOLE.slice(0, count));
    expect(waitingCalls(upTo(6)).map((call) => call.name)).toEqual(["create_tag", "delete_tag"]);
    expect(upTo(6).status).toBe("awaiting_approval");
    expect(waitingCount(upTo(7))).toBe(1);
    expect(upTo(8).status).toBe("running");
    const [made, kept] = Object.values(foldAll(emptyTurn("t"), WHOLE).calls);
    expect(made).toMatchObject({ decision: { approved: true, edited: true }, ran: "{\"name\":\"b\"}", undone: { summary: "Tag is deleted again" } });
    expect(kept).toMatchObject({ decision: { approved: false, reason: "keep it" }, result: { ran: false, canUndo: false } });
  });

  it("shows a renewed preview when what a call aims at has moved", () => {
    const again = { ...asks("create_tag"), calls: [{ id: "c-create_tag", name: "create_tag", arguments: "{}", summary: "Do it again" }] } as Bare<LogEvent>;
    const turn = foldAll(emptyTurn("t"), log(...BEGIN, calls("create_tag"), asks("create_tag"), again));
    expect(waitingCalls(turn)).toMatchObject([{ summary: "Do it again", renewed: true }]);
  });

  it("draws a reply while it comes, under the id that it keeps", () => {
    const begun = foldAll(emptyTurn("t"), log(...BEGIN));
    const live = foldAll(begun, [
      { type: "thinking_delta", text: "Hm.", step: 1, phase: "act", receivedAt: 1000 },
      { type: "thinking_delta", text: " So.", step: 1, phase: "act", receivedAt: 4000 },
      { type: "text_delta", text: "I pro", step: 1, phase: "act", receivedAt: 4100 },
    ]);
    expect(blocksNow(live).slice(1)).toMatchObject([
      { type: "thinking", text: "Hm. So.", isLive: false, seconds: 3 },
      { type: "text", text: "I pro", isLive: true },
    ]);
    const done = fold(live, { ...calls("create_tag"), seq: 4, at: AT });
    expect(done.draft).toBeNull();
    expect(done.blocks.slice(1, 3).map((block) => block.id)).toEqual(blocksNow(live).slice(1).map((block) => block.id));
    expect(done.blocks[1]).toMatchObject({ type: "thinking", seconds: 3 });
  });

  it("shows calls while they are written, and the calls themselves in their place", () => {
    const piece = (call: number, text: string, begins?: string): LogItem => ({ type: "call_delta", call, text, begins, step: 1, phase: "act" });
    const thinking: LogItem = { type: "thinking_delta", text: "Hm.", step: 1, phase: "act" };
    const begun = foldAll(emptyTurn("t"), [...log(...BEGIN), thinking, piece(0, "", "create_schema"), piece(0, '{"na'), piece(1, "{}", "list_tags")]);
    expect(blocksNow(begun).slice(1)).toMatchObject([
      { type: "thinking", isLive: false },
      { type: "writing", name: "create_schema", arguments: '{"na' },
      { type: "writing", name: "list_tags", arguments: "{}" },
    ]);
    const again = foldAll(begun, [piece(0, "{", "create_schema"), piece(7, "a piece of an unknown call")]);
    expect(blocksNow(again).filter((block) => block.type === "writing")).toMatchObject([{ arguments: "{" }]);
    const whole = foldAll(again, log(...BEGIN, calls("create_schema")));
    expect(blocksNow(whole).some((block) => block.type === "writing")).toBe(false);
    expect(Object.values(whole.calls)).toHaveLength(1);
  });

  it("begins an unfinished reply again when the line was opened again", () => {
    const delta: LogItem = { type: "text_delta", text: "Hel", step: 1, phase: "act" };
    const turn = foldAll(emptyTurn("t"), [...log(...BEGIN), delta, { type: "opened" }, { ...delta, text: "Hello" }]);
    expect(blocksNow(turn).at(-1)).toMatchObject({ type: "text", text: "Hello" });
  });

  it("keeps the data that a phase ends with out of sight", () => {
    const delta: LogItem = { type: "text_delta", text: "Next: read it.\n\n```json\n{\"pl", step: 1, phase: "reason" };
    const turn = foldAll(emptyTurn("t"), [...log(...BEGIN), delta]);
    expect(blocksNow(turn).at(-1)).toMatchObject({ type: "phase", phase: "reason", text: "Next: read it.", isLive: true });
    const done = foldAll(turn, log(...BEGIN, { type: "reason", step: 1, text: "Next: read it." }, { type: "completed", text: "All is well.", steps: 1 }));
    expect(done.blocks.map((block) => block.type)).toEqual(["user", "phase", "text"]);
  });

  it("keeps what was said before a stop, and drops what had not been decided", () => {
    const turn = foldAll(
      emptyTurn("t"),
      log(...BEGIN, calls("create_tag"), asks("create_tag"), { type: "stopped", reason: "user", kept: ["Created schema"], text: "" }),
    );
    expect(turn.status).toBe("stopped");
    expect(waitingCalls(turn)).toEqual([]);
    expect(Object.values(turn.calls)).toMatchObject([{ stage: "over", dropped: true }]);
    const cut = foldAll(emptyTurn("t"), log(...BEGIN, { type: "stopped", reason: "user", text: "Half a sen" }));
    expect(cut.blocks.slice(1)).toMatchObject([{ type: "text", text: "Half a sen" }, { type: "end", end: "stopped" }]);
  });

  it("ticks off a plan in its place and remembers the verdict", () => {
    const turn = foldAll(
      emptyTurn("t"),
      log(
        ...BEGIN,
        { type: "plan", revision: 1, steps: [{ text: "Read" }, { text: "Write" }], waits: true },
        { type: "plan_decided", revision: 1, approved: true, user_id: "u" },
        { type: "plan", revision: 1, steps: [{ text: "Read", done: true }, { text: "Write" }] },
      ),
    );
    expect(turn.status).toBe("running");
    const plans = turn.blocks.filter((block) => block.type === "plan");
    expect(plans).toMatchObject([{ waits: false, verdict: { approved: true }, steps: [{ done: true }, { done: false }] }]);
  });

  it("asks, and takes the answer", () => {
    const asked = log(...BEGIN, { type: "input_requested", question: "Which one?", choices: ["A", "B"] }, { type: "input_given", text: "B", user_id: "u" });
    expect(waitingCount(foldAll(emptyTurn("t"), asked.slice(0, 4)))).toBe(1);
    expect(foldAll(emptyTurn("t"), asked).blocks.at(-1)).toMatchObject({ question: "Which one?", choices: ["A", "B"], answer: "B" });
  });

  it("tells apart two calls that a provider gave the same id", () => {
    const again: Bare<LogEvent> = { type: "assistant_message", step: 2, model: "m", parts: [{ type: "call", id: "c-list_tags", name: "list_tags", arguments: "{}" }] };
    const turn = foldAll(emptyTurn("t"), log(...BEGIN, calls("list_tags"), result("list_tags"), again));
    expect(Object.values(turn.calls).map((call) => call.stage)).toEqual(["over", "proposed"]);
  });

  it("goes on with the rest of a log that holds something unknown", () => {
    const turn = foldAll(emptyTurn("t"), [...log(...BEGIN), { seq: 4, at: AT, type: "from_the_future" } as unknown as LogEvent]);
    expect(turn).toMatchObject({ seq: 4, status: "running" });
  });
});
