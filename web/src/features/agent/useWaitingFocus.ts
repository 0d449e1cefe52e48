import { useEffect, useRef } from "react";

import { waitingCalls } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";

import type { RefObject } from "react";

const CARD = "[data-waiting-card]";

/** Names of everything that waits for the user now; the same text as long as nothing changes. */
export function waitingNames(turn: TurnFold | null): string {
  if (turn?.status === "awaiting_input") return `question ${turn.blocks.findLast((block) => block.type === "question")?.id ?? ""}`;
  if (turn?.status !== "awaiting_approval") return "";
  const calls = waitingCalls(turn).map((call) => call.key);
  return calls.length ? calls.join(" ") : `plan ${turn.blocks.findLast((block) => block.type === "plan")?.id ?? ""}`;
}

/**
 * The focus goes to the first card that waits, to the next one after a verdict, and back to the input at the end.
 * Somebody who is typing is left alone.
 */
export function useWaitingFocus(panel: RefObject<HTMLElement | null>, input: RefObject<HTMLTextAreaElement | null>, names: string): void {
  const before = useRef("");
  useEffect(() => {
    const had = before.current;
    before.current = names;
    if (had === names || !panel.current) return;
    const active = document.activeElement;
    const isLost = !active || active === document.body || active.id === "main";
    if (!isLost && !panel.current.contains(active)) return;
    if (!isLost && active.closest(CARD)) return;
    if (active === input.current && input.current?.value.trim()) return;
    const card = names ? panel.current.querySelector<HTMLElement>(CARD) : null;
    if (card) {
      card.focus({ preventScroll: true });
      if (!isInView(card)) card.scrollIntoView({ block: "nearest" });
    } else if (had) input.current?.focus({ preventScroll: true });
  }, [names, panel, input]);
}

function isInView(card: HTMLElement): boolean {
  const frame = card.closest("[role=log]")?.getBoundingClientRect();
  const box = card.getBoundingClientRect();
  return frame !== undefined && box.bottom <= frame.bottom && (box.top >= frame.top || box.height > frame.height);
}
