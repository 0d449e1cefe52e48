import type { Size } from "./geometry";

/** As the server draws them (`domain/documents/pictures.py`): so many pages below each other, each in a cell of this size. */
export const PAGES_A_STRIP = 24;
const CELL: Size = { width: 120, height: 160 };
const LARGEST_SCALE = 4;

export const ROOM_FOR_STRIP = "(min-width: 64rem)";

/** How much smaller the cells are shown, so that they stay sharp. */
const SHOWN = 0.6;
const LABEL = 28;
export const CELL_HEIGHT = CELL.height * SHOWN + LABEL;
export const STRIP_WIDTH = CELL.width * SHOWN + 40;
const BEYOND = 3;

interface Fitted extends Size {
  /** The width of the whole strip, and how far down in it the page begins. */
  whole: number;
  offset: number;
}

/** The part of a strip that shows a page, in pixels of the screen. */
export function fitted({ width, height }: Size, number: number): Fitted {
  const scale = Math.min(CELL.width / width, CELL.height / height, LARGEST_SCALE) * SHOWN;
  return {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    whole: CELL.width * SHOWN,
    offset: ((number - 1) % PAGES_A_STRIP) * CELL.height * SHOWN,
  };
}

/** The first and the last cell (as indexes) to draw, with a few beyond what is seen. */
export function cellsInView(top: number, height: number, count: number): [first: number, last: number] {
  const first = Math.floor(top / CELL_HEIGHT) - BEYOND;
  const last = Math.ceil((top + height) / CELL_HEIGHT) + BEYOND;
  return [Math.max(0, first), Math.min(count - 1, last)];
}
