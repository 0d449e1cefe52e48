import { afterEach, expect, it, vi } from "vitest";

import type { LogEvent } from "@/lib/agent/events";

import { Conversation } from "./conversation";

const AT = "2026-01-01T00:00:00Z";

function event(seq: number, type: string): unknown {
  return { seq, at: AT, type, calls: [], text: "" };
}

/** A server with one thread of two turns that are over, and their logs. */
function serve(logs: Record<string, unknown[]>): void {
  vi.stubGlobal("fetch", (input: Request | string) => {
    const { pathname } = new URL(typeof input === "string" ? input : input.url, location.origin);
    const turn = Object.keys(logs).find((id) => pathname.includes(`/turns/${id}/`));
    const body = pathname.endsWith("/auth/refresh")
      ? { token: "t", expires_in: 900, user: { id: "u", email: "a@example.com", name: "A", role: "user" } }
      : turn
        ? { events: logs[turn] }
        : { turns: Object.entries(logs).map(([id, events]) => ({ id, state: "completed", last_seq: events.length })) };
    return Promise.resolve(new Response(JSON.stringify(body), { status: 200 }));
  });
}

afterEach(() => vi.unstubAllGlobals());

it("tells what the newest turn did before anybody listened", async () => {
  const told: LogEvent[] = [];
  const place = { organizationId: "o", subject: { kind: "document", id: "d" } as const, threadId: "t" };
  serve({ old: [event(1, "completed")], new: [event(1, "approval_requested"), event(2, "completed")] });
  const conversation = new Conversation(place, (events) => told.push(...events));
  await conversation.refresh();
  expect(conversation.state.get().error).toBeNull();
  expect(told.map(({ type }) => type)).toEqual(["approval_requested", "completed"]);
  await conversation.refresh();
  expect(told).toHaveLength(2);
});
