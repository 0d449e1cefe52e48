import { afterEach, expect, it, vi } from "vitest";

import { watchTurn } from "./watch";

import type { LogItem } from "./events";

const STARTED = { seq: 1, at: "2026-01-01T00:00:00Z", type: "step_started", step: 1 };
const REASON = "You are no longer a member of this organization.";

afterEach(() => vi.unstubAllGlobals());

/** A server whose stream of a turn has these lines; how often it was asked for. */
function streams(...lines: object[]): { asked: number } {
  const seen = { asked: 0 };
  vi.stubGlobal("fetch", (input: Request | string) => {
    const url = typeof input === "string" ? input : input.url;
    if (!url.endsWith("/events?calls=true")) return Promise.resolve(Response.json({ token: "t", expires_in: 900, user: { id: "u1" } }));
    seen.asked += 1;
    return Promise.resolve(new Response(lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join("")));
  });
  return seen;
}

it("ends with the reason when the server says that the stream cannot go on", async () => {
  const seen = streams(STARTED, { type: "error", error: REASON, code: "forbidden" });
  const taken: LogItem[] = [];
  const watching = watchTurn("o1", "t1", {
    take: (items) => taken.push(...items),
    connected: () => undefined,
    isOver: () => false,
    lastSeq: () => 0,
    signal: new AbortController().signal,
  });
  await expect(watching).rejects.toThrow(REASON);
  expect(taken.map((item) => item.type)).toEqual(["opened", "step_started"]);
  expect(seen.asked).toBe(1);
});
