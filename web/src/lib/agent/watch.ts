import { authorised } from "@/lib/api/client";
import { ApiError, apiError } from "@/lib/api/errors";
import { bodyOf } from "@/lib/api/session";

import { EventReader } from "./sse";

import type { BrokenOff, LogEvent, LogItem } from "./events";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server says something every 15 seconds; a line that is silent for longer is dead. */
const SILENCE_MS = 40_000;

const FORBIDDEN = 403;

interface Watcher {
  take: (items: LogItem[]) => void;
  /** False while the line is down and it is tried again. */
  connected: (isConnected: boolean) => void;
  isOver: () => boolean;
  lastSeq: () => number;
  signal: AbortSignal;
}

export function eventsUrl(organizationId: string, turnId: string): string {
  return new URL(`/v0/orgs/${organizationId}/turns/${turnId}/events`, location.origin).href;
}

/** The stored events of a turn after a number. */
export async function storedEvents(organizationId: string, turnId: string, after = 0, signal?: AbortSignal): Promise<LogEvent[]> {
  const answer = await authorised(`${eventsUrl(organizationId, turnId)}?after=${after}`, { signal });
  if (!answer.ok) throw apiError(answer.status, await bodyOf(answer));
  return ((await answer.json()) as { events: LogEvent[] }).events;
}

/** Follow a turn until it is over; a dropped line is taken up again after the last event that was seen. */
export async function watchTurn(organizationId: string, turnId: string, watcher: Watcher): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!watcher.signal.aborted && !watcher.isOver()) {
    const before = watcher.lastSeq();
    try {
      await readOnce(organizationId, turnId, watcher);
    } catch (error) {
      if (watcher.signal.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    if (watcher.signal.aborted || watcher.isOver()) return;
    watcher.connected(false);
    if (watcher.lastSeq() > before) pause = FIRST_PAUSE_MS;
    await wait(pause, watcher.signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function readOnce(organizationId: string, turnId: string, watcher: Watcher): Promise<void> {
  const line = new AbortController();
  const stop = (): void => line.abort();
  watcher.signal.addEventListener("abort", stop);
  let silence = setTimeout(stop, SILENCE_MS);
  try {
    const answer = await authorised(`${eventsUrl(organizationId, turnId)}?calls=true`, {
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(watcher.lastSeq()) },
      signal: line.signal,
    });
    if (!answer.ok || !answer.body) throw apiError(answer.status, await bodyOf(answer));
    watcher.connected(true);
    watcher.take([{ type: "opened" }]);
    const reader = new EventReader();
    const stream = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS);
      const lines = reader.take(value).flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as LogItem | BrokenOff]));
      const items = lines.filter((line) => line.type !== "error").map(stamped);
      if (items.length) watcher.take(items);
      const end = lines.find((line) => line.type === "error");
      if (end) throw new ApiError(FORBIDDEN, end.error);
    }
  } finally {
    clearTimeout(silence);
    watcher.signal.removeEventListener("abort", stop);
  }
}

function stamped(item: LogItem): LogItem {
  return item.type === "text_delta" || item.type === "thinking_delta" ? { ...item, receivedAt: Date.now() } : item;
}

/** Until the time has passed, the network is back, or nobody waits any more. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
