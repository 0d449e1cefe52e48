import type { Schemas } from "@/lib/api/client";

/** Says what ended with a token or session; nothing if nothing ran with it. */
export function stoppedText(stopped?: Schemas["StoppedOut"] | null): string {
  const { turns, streams } = stopped ?? { turns: 0, streams: 0 };
  const parts = [turns > 0 && counted(turns, "turn"), streams > 0 && counted(streams, "stream")].filter(Boolean);
  return parts.length > 0 ? ` Stopped: ${parts.join(", ")}.` : "";
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
