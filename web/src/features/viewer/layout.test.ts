import { describe, expect, it } from "vitest";

import { factorOf, GAP, layOut, MARGIN, pageAt, stepped, visibleRange } from "./layout";

const LETTER = { width: 612, height: 792 };
const PANE = { width: 636, height: 700 };

describe("pages below one another", () => {
  it("fill the width of the pane, each by itself", () => {
    const { pages, height } = layOut([LETTER, { width: 1224, height: 792 }], PANE, "width", 0);
    expect(pages.map((page) => page.width)).toEqual([612, 612]);
    expect(pages.map((page) => page.height)).toEqual([792, 396]);
    expect(pages[1]?.top).toBe(MARGIN + 792 + GAP);
    expect(height).toBe(MARGIN + 792 + GAP + 396 + MARGIN);
  });

  it("are shown whole, turned, or as large as on paper", () => {
    const whole = layOut([LETTER], PANE, "page", 0).pages[0];
    expect(whole?.height).toBe(PANE.height - 2 * MARGIN);
    const turned = layOut([LETTER], PANE, 1, 90);
    expect(turned.pages[0]).toMatchObject({ width: 1056, height: 816, left: MARGIN });
    expect(turned.width).toBe(1056 + 2 * MARGIN);
    expect(factorOf(turned.pages[0])).toBeCloseTo(1);
  });

  it("are not blown up when they are small", () => {
    expect(factorOf(layOut([{ width: 100, height: 200 }], PANE, "width", 0).pages[0])).toBeCloseTo(2);
  });
});

describe("a long document", () => {
  const layout = layOut(Array.from({ length: 300 }, () => LETTER), PANE, "width", 0);

  it("has only few pages in view, wherever one looks", () => {
    const step = 792 + GAP;
    expect(visibleRange(layout, 0, 700)).toEqual([0, 0]);
    expect(visibleRange(layout, 100 * step + MARGIN, 700)).toEqual([100, 100]);
    expect(visibleRange(layout, 100 * step + 400, 700)).toEqual([100, 101]);
    expect(visibleRange(layout, layout.height, 700)).toEqual([299, 299]);
  });

  it("names the page that is read", () => {
    expect(pageAt(layout, 0, 700)).toBe(1);
    expect(pageAt(layout, 99 * (792 + GAP), 700)).toBe(100);
  });

  it("zooms in steps, from wherever it is", () => {
    expect(stepped(0.93, 1)).toBe(1);
    expect(stepped(1, -1)).toBe(0.9);
    expect(stepped(5, 1)).toBe(5);
  });
});
