import type { KeyboardEvent } from "react";

/** Up and down, as -1 and 1. */
export function arrows(event: KeyboardEvent, run: (by: number) => void): void {
  const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (!by) return;
  event.preventDefault();
  run(by);
}

interface RowActions {
  add: () => void;
  move: (by: number) => void;
  step: (by: number) => void;
}

/** The keys of a row's name: Enter adds a row, the arrows go to the next name, and with Alt they move the row. */
export function nameKeys(event: KeyboardEvent, { add, move, step }: RowActions): void {
  if (event.altKey) arrows(event, move);
  else if (event.key === "Enter") {
    event.preventDefault();
    add();
  } else arrows(event, step);
}
