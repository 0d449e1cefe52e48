import { authorised } from "@/lib/api/client";
import { apiError } from "@/lib/api/errors";
import { bodyOf } from "@/lib/api/session";

import { EventReader } from "./sse";

/** The server says something every 15 seconds; a line that is silent for longer is dead. */
const SILENCE_MS = 40_000;

interface Listener {
  headers?: Record<string, string>;
  signal: AbortSignal;
  opened: () => void;
  /** What came, as the JSON that it is. */
  take: (lines: unknown[]) => void;
}

/** Read a stream of server-sent events until it ends, falls silent, or nobody listens any more. */
export async function readStream(url: string, { headers, signal, opened, take }: Listener): Promise<void> {
  const line = new AbortController();
  const stop = (): void => line.abort();
  signal.addEventListener("abort", stop);
  let silence = setTimeout(stop, SILENCE_MS);
  try {
    const answer = await authorised(url, { headers: { Accept: "text/event-stream", ...headers }, signal: line.signal });
    if (!answer.ok || !answer.body) throw apiError(answer.status, await bodyOf(answer));
    opened();
    const reader = new EventReader();
    const stream = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS);
      take(reader.take(value).flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as unknown])));
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", stop);
  }
}

/** Until the time has passed, the network is back, or nobody waits any more. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
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
