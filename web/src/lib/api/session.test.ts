import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const USER = { id: "u1", email: "a@example.com", name: "A", role: "user" };
type Answer = { status: number; body?: unknown };

/** A server of the browser's kind: each address has a list of answers, and every request is noted. */
function serve(answers: Record<string, Answer[]>): Request[] {
  const seen: Request[] = [];
  vi.stubGlobal("fetch", (input: Request | string, init?: RequestInit) => {
    const request = typeof input === "string" ? new Request(new URL(input, location.origin), init) : input;
    seen.push(request);
    const answer = answers[new URL(request.url).pathname]?.shift() ?? { status: 500 };
    return Promise.resolve(new Response(JSON.stringify(answer.body ?? {}), { status: answer.status }));
  });
  return seen;
}

const opened = (token: string, expires_in = 900): Answer => ({ status: 200, body: { token, expires_in, user: USER } });
const REFRESH = "/v0/account/auth/refresh";
const LOGIN = "/v0/account/auth/login";

/** Each test begins with a page that was just opened. */
async function freshPage() {
  vi.resetModules();
  return { session: await import("./session"), client: await import("./client") };
}

describe("the session", () => {
  beforeEach(() => vi.stubGlobal("BroadcastChannel", undefined));
  afterEach(() => vi.unstubAllGlobals());

  it("asks nothing of the server when the browser has no cookie", async () => {
    const seen = serve({});
    const { session } = await freshPage();
    await session.start(false);
    expect(seen).toHaveLength(0);
  });

  it("renews once for many requests at the same time", async () => {
    const seen = serve({ [REFRESH]: [opened("t1")], "/v0/x": [{ status: 200 }, { status: 200 }, { status: 200 }] });
    const { client } = await freshPage();
    const url = `${location.origin}/v0/x`;
    await Promise.all([client.authorised(url), client.authorised(url), client.authorised(url)]);
    expect(seen.filter((request) => request.url.endsWith(REFRESH))).toHaveLength(1);
    expect(seen.at(-1)?.headers.get("Authorization")).toBe("Bearer t1");
  });

  it("tries again with a new token when the server no longer takes the old one", async () => {
    serve({ [REFRESH]: [opened("t1"), opened("t2")], "/v0/x": [{ status: 401 }, { status: 200, body: { done: true } }] });
    const { client } = await freshPage();
    const answer = await client.authorised(`${location.origin}/v0/x`, { method: "POST", body: "typed" });
    expect(await answer.json()).toEqual({ done: true });
  });

  it("holds a request back while the user signs in again, and then sends what was typed", async () => {
    const seen = serve({
      [REFRESH]: [opened("t1"), { status: 401 }],
      [LOGIN]: [opened("t2")],
      "/v0/x": [{ status: 401 }, { status: 200, body: { done: true } }],
    });
    const { session, client } = await freshPage();
    await session.start(true);
    const waiting = client.authorised(`${location.origin}/v0/x`, { method: "POST", body: "typed" });
    await vi.waitFor(() => expect(seen.filter((request) => request.url.endsWith(REFRESH))).toHaveLength(2));
    await session.signIn("a@example.com", "secret");
    expect(await (await waiting).json()).toEqual({ done: true });
    expect(await seen.at(-1)?.text()).toBe("typed");
    expect(seen.at(-1)?.headers.get("Authorization")).toBe("Bearer t2");
  });

  it("tells why a password is refused", async () => {
    serve({ [LOGIN]: [{ status: 401, body: { detail: "The e-mail or the password is wrong." } }] });
    const { session } = await freshPage();
    await expect(session.signIn("a@example.com", "x")).rejects.toThrow("The e-mail or the password is wrong.");
  });

  it("keeps nothing in the browser's storage", async () => {
    serve({ [REFRESH]: [opened("very-secret-token")] });
    const { session } = await freshPage();
    await session.start(true);
    expect(await session.currentToken()).toBe("very-secret-token");
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("very-secret-token");
  });
});
