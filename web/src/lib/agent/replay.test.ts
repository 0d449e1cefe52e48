import { describe, expect, it } from "vitest";

import { framesOf } from "./replay";

import type { LogEvent } from "./events";

const at = "2026-03-14T10:00:00Z";
const LOG: LogEvent[] = [
  { seq: 1, at, type: "turn_started", model: "m", strategy: "s", max_steps: 10 },
  { seq: 2, at, type: "user_message", text: "Prepare this." },
  { seq: 3, at, type: "step_started", step: 1 },
  {
    seq: 4, at, type: "assistant_message", step: 1, model: "m",
    parts: [{ type: "text", text: "A schema first." }, { type: "call", id: "c", name: "create_schema", arguments: "{}" }],
  },
  { seq: 5, at, type: "usage", model: "m", purpose: "act", input_tokens: 1, output_tokens: 1 },
  { seq: 6, at, type: "tool_started", call_id: "c", name: "create_schema", arguments: "{}", grant: { kind: "proposal" } },
  { seq: 7, at, type: "tool_result", call_id: "c", name: "create_schema", content: "{}", undo: { tool: "delete_schema" } },
  { seq: 8, at, type: "completed", text: "Done.", steps: 1 },
];

describe("the replay of a turn", () => {
  const frames = framesOf("t", LOG);

  it("has a step for everything that one sees, and for nothing else", () => {
    expect(frames.map((frame) => frame.seq)).toEqual([2, 4, 7, 8]);
    expect(frames.map((frame) => frame.blocks.length)).toEqual([1, 3, 3, 4]);
  });

  it("shows what was not done yet as not done", () => {
    const calls = frames.map((frame) => Object.values(frame.calls)[0]);
    expect(calls.map((call) => call?.result != null)).toEqual([false, false, true, true]);
  });

  it("offers no way to undo what is past", () => {
    expect(Object.values(frames.at(-1)?.calls ?? {})[0]?.result?.canUndo).toBe(false);
  });

  it("of nothing is nothing", () => {
    expect(framesOf("t", [])).toEqual([]);
  });
});
