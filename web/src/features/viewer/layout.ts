import { turnedSize } from "./geometry";

import type { Rotation, Size } from "./geometry";

/** Fit to the pane, or a factor: 1 shows a page as large as it is on paper. */
export type Zoom = "width" | "page" | number;

export const GAP = 12;
export const MARGIN = 12;
const PIXELS_PER_POINT = 96 / 72;
const LARGEST_FIT = 2;
const STEPS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

export interface PlacedPage extends Size {
  number: number;
  top: number;
  left: number;
  /** How many pixels one point takes. */
  scale: number;
}

export interface Layout {
  pages: PlacedPage[];
  width: number;
  height: number;
}

/** Where every page lies below the others. Sizes are those of the pages in points, before the reader turns them. */
export function layOut(sizes: readonly Size[], pane: Size, zoom: Zoom, rotation: Rotation): Layout {
  const pages: PlacedPage[] = [];
  let top = MARGIN;
  let widest = 0;
  for (const [index, size] of sizes.entries()) {
    const page = turnedSize(size, rotation);
    const scale = scaleOf(page, pane, zoom);
    const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)];
    pages.push({ number: index + 1, top, left: 0, width, height, scale });
    top += height + GAP;
    widest = Math.max(widest, width);
  }
  const width = Math.max(pane.width, widest + 2 * MARGIN);
  for (const page of pages) page.left = Math.round((width - page.width) / 2);
  return { pages, width, height: top - GAP + MARGIN };
}

function scaleOf(page: Size, pane: Size, zoom: Zoom): number {
  if (typeof zoom === "number") return zoom * PIXELS_PER_POINT;
  const across = Math.max(50, pane.width - 2 * MARGIN) / page.width;
  const down = Math.max(50, pane.height - 2 * MARGIN) / page.height;
  return Math.min(zoom === "page" ? Math.min(across, down) : across, LARGEST_FIT * PIXELS_PER_POINT);
}

export function factorOf(page: PlacedPage | undefined): number {
  return page ? page.scale / PIXELS_PER_POINT : 1;
}

/** The next step of zoom in a direction. */
export function stepped(factor: number, direction: 1 | -1): number {
  const next = direction > 0 ? STEPS.find((step) => step > factor + 0.005) : STEPS.findLast((step) => step < factor - 0.005);
  return next ?? factor;
}

/** First and last page (as indexes) that touch the stretch from `top` on; for any number of pages in a few steps. */
export function visibleRange(layout: Layout, top: number, height: number): [first: number, last: number] {
  const first = firstBelow(layout, top);
  let last = first;
  while (last + 1 < layout.pages.length && (layout.pages[last + 1]?.top ?? 0) < top + height) last += 1;
  return [first, last];
}

/** The page that a reader would say they are on: the one at a third of the pane's height. */
export function pageAt(layout: Layout, top: number, height: number): number {
  return firstBelow(layout, top + height / 3) + 1;
}

function firstBelow(layout: Layout, y: number): number {
  let [low, high] = [0, layout.pages.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = layout.pages[middle];
    if (page && page.top + page.height + GAP > y) high = middle;
    else low = middle + 1;
  }
  return Math.max(0, low);
}
