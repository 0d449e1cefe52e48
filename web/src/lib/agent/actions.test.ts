import { afterEach, expect, it, vi } from "vitest";

import { decide, startTurn } from "./actions";

afterEach(() => vi.unstubAllGlobals());

/** A server that takes everything; what it was sent, without the renewal of the session. */
function sent(): unknown[] {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    if (typeof input === "string" || !input.url.includes("/chat")) return Response.json({ token: "t", expires_in: 900, user: { id: "u1" } });
    bodies.push(await input.json());
    return Response.json({ turn: "t1" }, { status: 202 });
  });
  return bodies;
}

it("begins and continues turns that outlive the page", async () => {
  const bodies = sent();
  const subject = { kind: "document", id: "d1" } as const;
  await startTurn("o1", subject, { messages: [{ role: "user", content: "Hi" }] });
  await decide("o1", subject, "t1", [{ call_id: "c1", approved: true }]);
  expect(bodies).toMatchObject([{ background: true }, { background: true }]);
  expect(bodies.some((body) => (body as { stream?: boolean }).stream)).toBe(false);
});
