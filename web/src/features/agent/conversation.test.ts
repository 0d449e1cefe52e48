import { afterEach, expect, it, vi } from "vitest";

import { Conversation } from "./conversation";

const HOUR_MS = 3_600_000;
/** The server's clock is not the browser's. */
const SERVER_NOW = Date.parse("2026-01-01T12:00:00Z");

function event(seq: number, type: string, secondsAgo = 0): unknown {
  return { seq, at: new Date(SERVER_NOW - 1000 * secondsAgo).toISOString(), type, calls: [], text: "" };
}

/** A server with one thread whose turns are over, and their logs. */
function serve(logs: Record<string, unknown[]>, headers: Record<string, string> = { Date: new Date(SERVER_NOW).toUTCString() }): void {
  vi.stubGlobal("fetch", (input: Request | string) => {
    const { pathname, searchParams } = new URL(typeof input === "string" ? input : input.url, location.origin);
    const turn = Object.keys(logs).find((id) => pathname.includes(`/turns/${id}/`));
    const body = pathname.endsWith("/auth/refresh")
      ? { token: "t", expires_in: 900, user: { id: "u", email: "a@example.com", name: "A", role: "user" } }
      : turn
        ? { events: logs[turn]?.slice(Number(searchParams.get("after"))) }
        : { turns: Object.entries(logs).map(([id, events]) => ({ id, state: "completed", last_seq: events.length })) };
    return Promise.resolve(new Response(JSON.stringify(body), { status: 200, headers }));
  });
}

/** A conversation on a page that was opened so long ago, and the types of the events that it told. */
function listen(openedMsAgo = 0): { conversation: Conversation; told: string[] } {
  const told: string[] = [];
  const openedAt = performance.now() - openedMsAgo;
  const place = { organizationId: "o", subject: { kind: "document", id: "d" } as const, threadId: "t", openedAt };
  const conversation = new Conversation(place, (events) => told.push(...events.map(({ type }) => type)));
  return { conversation, told };
}

afterEach(() => vi.unstubAllGlobals());

it("tells what the newest turn did while the page was opened", async () => {
  serve({ old: [event(1, "completed")], new: [event(1, "approval_requested", 2), event(2, "completed")] });
  const { conversation, told } = listen();
  await conversation.refresh();
  expect(conversation.state.get().error).toBeNull();
  expect(told).toEqual(["approval_requested", "completed"]);
  await conversation.refresh();
  expect(told).toHaveLength(2);
});

it("does not tell what happened long before the page was opened, but what came since", async () => {
  const log = [event(1, "approval_requested", 600), event(2, "approval_decided", 300)];
  serve({ turn: log });
  const { conversation, told } = listen();
  await conversation.refresh();
  expect(conversation.state.get().turns[0]?.seq).toBe(2);
  expect(told).toEqual([]);
  serve({ turn: [...log, event(3, "completed", 200)] });
  await conversation.refresh();
  expect(told).toEqual(["completed"]);
});

it("tells what happened since the page was opened, when its conversation is opened later", async () => {
  serve({ turn: [event(1, "approval_requested", 7200), event(2, "completed", 600)] });
  const { conversation, told } = listen(HOUR_MS);
  await conversation.refresh();
  expect(told).toEqual(["completed"]);
});

it("tells everything when the server does not say how late it is", async () => {
  serve({ turn: [event(1, "completed", 7200)] }, {});
  const { conversation, told } = listen();
  await conversation.refresh();
  expect(told).toEqual(["completed"]);
});
