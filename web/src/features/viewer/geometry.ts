import type { Box, Spot, Target } from "@/lib/places";

export type Rotation = 0 | 90 | 180 | 270;

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A rectangle in the pixels of a shown page. */
export interface Rectangle extends Point, Size {}

export function turned(rotation: Rotation, by: 90 | -90): Rotation {
  return ((rotation + by + 360) % 360) as Rotation;
}

/** The size of a page after it is turned. */
export function turnedSize({ width, height }: Size, rotation: Rotation): Size {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** The box as fractions of the page after it is turned clockwise. */
export function turnedBox([left, top, right, bottom]: Box, rotation: Rotation): Box {
  if (rotation === 90) return [1 - bottom, left, 1 - top, right];
  if (rotation === 180) return [1 - right, 1 - bottom, 1 - left, 1 - top];
  if (rotation === 270) return [top, 1 - right, bottom, 1 - left];
  return [left, top, right, bottom];
}

/** Where a box of the page lies on the page as it is shown: turned, and `shown` pixels large. */
export function placed(box: Box, shown: Size, rotation: Rotation): Rectangle {
  const [left, top, right, bottom] = turnedBox(box, rotation);
  return {
    x: left * shown.width,
    y: top * shown.height,
    width: (right - left) * shown.width,
    height: (bottom - top) * shown.height,
  };
}

/** The place on the page, as fractions, under a point of the page as it is shown. */
export function pointOnPage({ x, y }: Point, shown: Size, rotation: Rotation): Point {
  const [fx, fy] = [x / shown.width, y / shown.height];
  if (rotation === 90) return { x: fy, y: 1 - fx };
  if (rotation === 180) return { x: 1 - fx, y: 1 - fy };
  if (rotation === 270) return { x: 1 - fy, y: fx };
  return { x: fx, y: fy };
}

/** The part of the page, as fractions, between two points of the page as it is shown. */
export function boxBetween(one: Point, other: Point, shown: Size, rotation: Rotation): Box {
  const [from, to] = [pointOnPage(one, shown, rotation), pointOnPage(other, shown, rotation)];
  return [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)];
}

/** The smallest target under a point, with a little room around it: words are small and fingers are not. */
export function hitTest(targets: readonly Target[], page: number, point: Point, room = 0.004): Target | null {
  let best: Target | null = null;
  let bestSize = Infinity;
  for (const target of targets) {
    if (target.page !== page) continue;
    const [left, top, right, bottom] = target.box;
    const isInside =
      point.x >= left - room && point.x <= right + room && point.y >= top - room && point.y <= bottom + room;
    const size = (right - left) * (bottom - top);
    if (isInside && size < bestSize) [best, bestSize] = [target, size];
  }
  return best;
}

/** Words that stand side by side become one box each line, so that a phrase lights up as a phrase. */
export function joined(spots: readonly Spot[]): Spot[] {
  const runs: Spot[] = [];
  for (const spot of spots) {
    const last = runs.at(-1);
    if (last && continues(last, spot)) {
      runs[runs.length - 1] = {
        page: last.page,
        box: [
          last.box[0],
          Math.min(last.box[1], spot.box[1]),
          Math.max(last.box[2], spot.box[2]),
          Math.max(last.box[3], spot.box[3]),
        ],
      };
    } else {
      runs.push(spot);
    }
  }
  return runs;
}

function continues(run: Spot, next: Spot): boolean {
  const [, top, right, bottom] = run.box;
  const [nextLeft, nextTop, , nextBottom] = next.box;
  const height = Math.max(bottom - top, nextBottom - nextTop);
  const overlap = Math.min(bottom, nextBottom) - Math.max(top, nextTop);
  return run.page === next.page && overlap > height / 2 && nextLeft >= right - height && nextLeft - right < height;
}
