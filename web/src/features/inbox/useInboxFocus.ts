import { useCallback, useEffect, useRef } from "react";

import type { Waiting } from "@/lib/api/inbox";

import type { RefObject } from "react";

const CARD = "[data-waiting-card]";

/** The focus goes to the first card, to the next one after a verdict, and to the page when nothing is left. */
export function useInboxFocus(frame: RefObject<HTMLElement | null>, waiting: readonly Waiting[]): (by: number) => void {
  const cards = (): HTMLElement[] => [...(frame.current?.querySelectorAll<HTMLElement>(CARD) ?? [])];
  const names = waiting.flatMap((item) => [item.turn_id, ...item.calls.map((call) => call.id)]).join(" ");
  const last = useRef(0);
  const settle = useCallback(() => {
    const active = document.activeElement;
    const isLost = !active || active === document.body || active.id === "main";
    const all = [...(frame.current?.querySelectorAll<HTMLElement>(CARD) ?? [])];
    if (!isLost) {
      last.current = Math.max(0, all.findIndex((card) => card.contains(active)));
      return;
    }
    const next = all[Math.min(last.current, all.length - 1)];
    if (next) next.focus();
    else document.getElementById("main")?.focus({ preventScroll: true });
  }, [frame]);
  useEffect(() => {
    // After the page itself has got the focus, as it does on navigation.
    const timer = setTimeout(settle);
    return () => clearTimeout(timer);
  }, [names, settle]);
  return (by) => {
    const all = cards();
    const index = all.findIndex((card) => card.contains(document.activeElement));
    const next = all[Math.min(all.length - 1, Math.max(0, index + by))];
    last.current = Math.max(0, index + by);
    next?.focus();
  };
}
