import { authorised } from "@/lib/api/client";
import { ApiError, apiError } from "@/lib/api/errors";
import { bodyOf } from "@/lib/api/session";

import { readStream, wait } from "./stream";

import type { BrokenOff, LogEvent, LogItem } from "./events";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

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

interface StoredEvents {
  events: LogEvent[];
  /** When the server told them, by its own clock, in milliseconds; not a number if it does not say. */
  toldAt: number;
}

/** The stored events of a turn after a number. */
export async function storedEvents(organizationId: string, turnId: string, after = 0, signal?: AbortSignal): Promise<StoredEvents> {
  const answer = await authorised(`${eventsUrl(organizationId, turnId)}?after=${after}`, { signal });
  if (!answer.ok) throw apiError(answer.status, await bodyOf(answer));
  const { events } = (await answer.json()) as { events: LogEvent[] };
  return { events, toldAt: Date.parse(answer.headers.get("Date") ?? "") };
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
  await readStream(`${eventsUrl(organizationId, turnId)}?calls=true`, {
    headers: { "Last-Event-ID": String(watcher.lastSeq()) },
    signal: watcher.signal,
    opened: () => {
      watcher.connected(true);
      watcher.take([{ type: "opened" }]);
    },
    take: (received) => {
      const lines = received as (LogItem | BrokenOff)[];
      const items = lines.filter((line) => line.type !== "error").map(stamped);
      if (items.length) watcher.take(items);
      const end = lines.find((line) => line.type === "error");
      if (end) throw new ApiError(FORBIDDEN, end.error);
    },
  });
}

function stamped(item: LogItem): LogItem {
  return item.type === "text_delta" || item.type === "thinking_delta" ? { ...item, receivedAt: Date.now() } : item;
}
