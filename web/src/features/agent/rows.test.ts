import { describe, expect, it } from "vitest";

import type { LogEvent } from "@/lib/agent/events";
import { emptyTurn, foldAll } from "@/lib/agent/fold";

import { pageOf } from "./links";
import { rowsOf } from "./rows";
import { byDay } from "./useThreads";

const AT = "2026-03-14T10:00:00Z";

function read(step: number, ...names: string[]): object[] {
  return [
    { type: "step_started", step },
    { type: "assistant_message", step, model: "m", parts: names.map((name, index) => ({ type: "call", id: `${step}-${index}`, name, arguments: "{}" })) },
    ...names.map((name, index) => ({ type: "tool_started", call_id: `${step}-${index}`, name, arguments: "{}", grant: { kind: "read_only" } })),
    ...names.map((name, index) => ({ type: "tool_result", call_id: `${step}-${index}`, name, content: "{}" })),
  ];
}

function rows(...events: object[]) {
  const log = events.map((event, index) => ({ ...event, seq: index + 1, at: AT }) as LogEvent);
  return rowsOf(foldAll(emptyTurn("t"), log));
}

describe("rowsOf", () => {
  it("tells a few reads one by one and folds many into one row", () => {
    expect(rows(...read(1, "list_tags", "list_schemas")).map((row) => row.type)).toEqual(["call", "call"]);
    const [many] = rows(...read(1, "list_tags", "list_schemas", "get_ocr_text", "help_schemas"));
    expect(many).toMatchObject({ type: "reads", calls: { length: 4 } });
  });

  it("puts a label at the first row of each step, and names the phases where there are some", () => {
    const message = { type: "user_message", text: "Go" };
    expect(rows(message, ...read(1, "list_tags"), ...read(2, "list_tags", "get_tag")).map((row) => row.label)).toEqual(["You", "Step 1", "Step 2", null]);
    expect(rows(message, ...read(1, "list_tags")).map((row) => row.label)).toEqual(["You", null]);
    const phases = rows({ type: "reason", step: 1, text: "So." }, ...read(1, "list_tags"), { type: "observe", step: 1, text: "Well." });
    expect(phases.map((row) => row.label)).toEqual(["Reason 1", "Act 1", "Observe 1"]);
  });
});

describe("links of the agent", () => {
  it("lead to our pages, and nowhere else", () => {
    const id = "65f0c0ffee65f0c0ffee65f0";
    expect(pageOf(`doc:${id}`)).toBe(`documents/${id}`);
    expect(pageOf(`tag:${id}`)).toBe("tags");
    expect(pageOf("doc:../../evil")).toBeNull();
    expect(pageOf("https://a.example")).toBeNull();
  });
});

describe("byDay", () => {
  it("groups as people look for things", () => {
    const thread = (updated_at: string) => ({ id: updated_at, title: "x", created_at: updated_at, updated_at });
    const now = new Date(2026, 2, 14, 12);
    const at = (days: number) => thread(new Date(2026, 2, 14 - days, 9).toISOString());
    expect(byDay([at(0), at(1), at(3), at(40)], now).map((group) => group.day)).toEqual(["Today", "Yesterday", "This week", "Older"]);
  });
});
