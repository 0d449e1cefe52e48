import { expect, test } from "vitest";

import { CELL_HEIGHT, cellsInView, fitted } from "./strip";

test("a page is cut out of its strip, upright or wide", () => {
  expect(fitted({ width: 600, height: 800 }, 1)).toEqual({ width: 72, height: 96, whole: 72, offset: 0 });
  expect(fitted({ width: 800, height: 400 }, 3)).toEqual({ width: 72, height: 36, whole: 72, offset: 192 });
  expect(fitted({ width: 600, height: 800 }, 25).offset).toBe(0);
});

test("only cells near what is seen are drawn", () => {
  expect(cellsInView(0, 3 * CELL_HEIGHT, 300)).toEqual([0, 6]);
  expect(cellsInView(100 * CELL_HEIGHT, 3 * CELL_HEIGHT, 300)).toEqual([97, 106]);
  expect(cellsInView(0, 500, 2)).toEqual([0, 1]);
});
