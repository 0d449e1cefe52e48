import { describe, expect, it } from "vitest";

import type { Box } from "@/lib/places";

import { boxBetween, hitTest, joined, placed, pointOnPage, turned, turnedBox, turnedSize } from "./geometry";

import type { Rectangle, Rotation } from "./geometry";

const WORD: Box = [0.1, 0.2, 0.3, 0.25];
const rounded = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});
const ROTATIONS: Rotation[] = [0, 90, 180, 270];

describe("boxes on a page that is turned and zoomed", () => {
  it("keeps a box where it is on an upright page, in pixels of the zoom", () => {
    expect(rounded(placed(WORD, { width: 600, height: 800 }, 0))).toEqual({ x: 60, y: 160, width: 120, height: 40 });
    expect(rounded(placed(WORD, { width: 1200, height: 1600 }, 0))).toEqual({ x: 120, y: 320, width: 240, height: 80 });
  });

  it("turns clockwise: what was at the top is at the right", () => {
    const [left, top, right, bottom] = turnedBox(WORD, 90);
    expect([left, top, right, bottom]).toEqual([0.75, 0.1, 0.8, 0.3]);
    expect(turnedSize({ width: 600, height: 800 }, 90)).toEqual({ width: 800, height: 600 });
  });

  it("comes back after four turns", () => {
    let box = WORD;
    for (let turn = 0; turn < 4; turn += 1) box = turnedBox(box, 90);
    box.forEach((edge, index) => expect(edge).toBeCloseTo(WORD[index] ?? 0));
    expect(turnedBox(WORD, 180)).toEqual(turnedBox(turnedBox(WORD, 90), 90));
    expect(turned(270, 90)).toBe(0);
    expect(turned(0, -90)).toBe(270);
  });

  it.each(ROTATIONS)("finds the same place of the page under the pointer at %i degrees", (rotation) => {
    const shown = turnedSize({ width: 612, height: 792 }, rotation);
    const { x, y, width, height } = placed(WORD, shown, rotation);
    const point = pointOnPage({ x: x + width / 2, y: y + height / 2 }, shown, rotation);
    expect(point.x).toBeCloseTo(0.2);
    expect(point.y).toBeCloseTo(0.225);
  });
});

describe("the field under a word", () => {
  const targets = [
    { id: "address", page: 1, box: [0.1, 0.1, 0.6, 0.3] as const },
    { id: "city", page: 1, box: [0.2, 0.2, 0.3, 0.22] as const },
    { id: "total", page: 2, box: [0.2, 0.2, 0.3, 0.22] as const },
  ];

  it("is the smallest box on that page that holds the point", () => {
    expect(hitTest(targets, 1, { x: 0.25, y: 0.21 })?.id).toBe("city");
    expect(hitTest(targets, 1, { x: 0.15, y: 0.15 })?.id).toBe("address");
    expect(hitTest(targets, 2, { x: 0.25, y: 0.21 })?.id).toBe("total");
  });

  it("gives a little room around a word, and nothing far from it", () => {
    expect(hitTest(targets, 2, { x: 0.302, y: 0.21 })?.id).toBe("total");
    expect(hitTest(targets, 2, { x: 0.4, y: 0.21 })).toBeNull();
    expect(hitTest(targets, 3, { x: 0.25, y: 0.21 })).toBeNull();
  });
});

describe("words that stand side by side", () => {
  const word = (left: number, right: number, top = 0.1, page = 1) => ({ page, box: [left, top, right, top + 0.02] as const });

  it("become one box for each line", () => {
    const runs = joined([word(0.1, 0.2), word(0.205, 0.3), word(0.1, 0.25, 0.14)]);
    expect(runs).toHaveLength(2);
    expect(runs[0]?.box).toEqual([0.1, 0.1, 0.3, expect.closeTo(0.12)]);
  });

  it("stay apart over a wide gap and over pages", () => {
    expect(joined([word(0.1, 0.2), word(0.5, 0.6)])).toHaveLength(2);
    expect(joined([word(0.1, 0.2), word(0.205, 0.3, 0.1, 2)])).toHaveLength(2);
  });
});

describe("what lies between two points", () => {
  const shown = { width: 200, height: 100 };

  it("is the same part of the page however it is turned", () => {
    const box = boxBetween({ x: 60, y: 80 }, { x: 20, y: 40 }, shown, 0);
    expect(box).toEqual([0.1, 0.4, 0.3, 0.8]);
    for (const rotation of [90, 180, 270] as const) {
      const { x, y, width, height } = placed(box, shown, rotation);
      const again = boxBetween({ x, y }, { x: x + width, y: y + height }, shown, rotation);
      again.forEach((edge, index) => expect(edge).toBeCloseTo(box[index] ?? 0));
    }
  });
});
