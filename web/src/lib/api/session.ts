import { t } from "@/lib/i18n";
import { Store, useStore } from "@/lib/store";

import { ApiError, apiError } from "./errors";

import type { components } from "./schema";

export type User = components["schemas"]["UserOut"];
type SessionOut = components["schemas"]["SessionOut"];

/**
 * The access token lives in this module's memory only. The secret that renews it is in a cookie that scripts cannot
 * read, so a reload asks the server for a new token, and nothing in the browser's storage is worth stealing.
 */
export type Session =
  | { status: "starting" }
  | { status: "signed-out" }
  | { status: "signed-in"; user: User }
  /** Signed in until a moment ago: the page stays as it is, and a dialog asks for the password. */
  | { status: "ended"; user: User };

const RENEW_EARLY_MS = 30_000;

const session = new Store<Session>({ status: "starting" });
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("docagent.session");
let token: { value: string; until: number } | null = null;
let renewing: Promise<boolean> | null = null;

channel?.addEventListener("message", () => location.assign("/"));

export function useSession(): Session {
  return useStore(session);
}

/** The signed-in user; only inside the part of the page that needs a session. */
export function useUser(): User {
  const current = useStore(session);
  if (current.status === "signed-in" || current.status === "ended") return current.user;
  throw new Error("There is no user outside of a session.");
}

/** Open the session that the cookie holds, if there is one. */
export async function start(hasCookie: boolean): Promise<void> {
  if (!hasCookie || !(await renew())) session.set({ status: "signed-out" });
}

export async function signIn(email: string, password: string): Promise<void> {
  const answer = await fetch("/v0/account/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw apiError(answer.status, await bodyOf(answer));
  const opened = (await answer.json()) as SessionOut;
  const before = session.get();
  if (before.status === "ended" && before.user.id !== opened.user.id) {
    location.assign("/");
    return;
  }
  accept(opened);
}

/** The signed-in user changed something about themselves. */
export function changeUser(user: User): void {
  const before = session.get();
  if (before.status === "signed-in" && before.user.id === user.id) session.set({ status: "signed-in", user });
}

export async function signOut(leave: () => void = () => location.assign("/")): Promise<void> {
  const answer = await fetch("/v0/account/auth/logout", { method: "POST" });
  if (!answer.ok) throw apiError(answer.status, await bodyOf(answer));
  await answer.text();
  token = null;
  channel?.postMessage("signed-out");
  leave();
}

/** A token that is good for the next request. Waits while the session has ended and the user signs in again. */
export async function currentToken(): Promise<string> {
  for (;;) {
    if (token && token.until - RENEW_EARLY_MS > Date.now()) return token.value;
    if (await renew()) continue;
    await signedInAgain();
  }
}

/** The server refused this token although its time was not over. */
export function forget(value: string): void {
  if (token?.value === value) token = null;
}

/** True when the session goes on. Many callers at once make one request. */
function renew(): Promise<boolean> {
  renewing ??= askForToken().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function askForToken(): Promise<boolean> {
  const answer = await fetch("/v0/account/auth/refresh", { method: "POST" });
  if (answer.ok) {
    accept((await answer.json()) as SessionOut);
    return true;
  }
  if (answer.status !== 401) throw apiError(answer.status, await bodyOf(answer));
  token = null;
  const before = session.get();
  if (before.status === "signed-in") session.set({ status: "ended", user: before.user });
  return false;
}

function accept(opened: SessionOut): void {
  token = { value: opened.token, until: Date.now() + opened.expires_in * 1000 };
  session.set({ status: "signed-in", user: opened.user });
}

function signedInAgain(): Promise<void> {
  if (session.get().status !== "ended") {
    return Promise.reject(new ApiError(401, t("lib.youAreNotSignedIn")));
  }
  return new Promise((resolve) => {
    const stop = session.subscribe(() => {
      if (session.get().status !== "signed-in") return;
      stop();
      resolve();
    });
  });
}

export async function bodyOf(answer: Response): Promise<unknown> {
  try {
    return (await answer.json()) as unknown;
  } catch {
    return null;
  }
}
