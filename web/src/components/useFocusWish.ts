import { useLayoutEffect, useRef } from "react";

/** A part of a row that takes the focus. */
export type Part = "name" | "handle";

/** Moves the focus to a row once it is on the page; moving a row in the document would lose it. */
export function useFocusWish() {
  const frame = useRef<HTMLElement>(null);
  const wanted = useRef<{ id: string; part: Part; select: boolean } | null>(null);
  const now = (id: string, part: Part, select = false): void => {
    const row = frame.current?.querySelector(`[data-row="${CSS.escape(id)}"]`);
    const target = row?.querySelector<HTMLElement>(`[data-part="${part}"]`);
    target?.focus();
    if (select && target instanceof HTMLInputElement) target.select();
  };
  useLayoutEffect(() => {
    if (!wanted.current) return;
    now(wanted.current.id, wanted.current.part, wanted.current.select);
    wanted.current = null;
  });
  const wish = (id: string, part: Part, select = false): void => {
    wanted.current = { id, part, select };
  };
  return { frame, now, wish };
}
