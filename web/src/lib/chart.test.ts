import { expect, it } from "vitest";

import { drawn } from "./chart";

const points = (...values: number[]) => values.map((value, index) => ({ key: `${index}`, label: `${index}`, value }));
const room = { width: 100, height: 50, label: 30 };

it("begins bars at zero and ends the axis at a round number", () => {
  const { placed, levels } = drawn(points(0, 7, 19), { kind: "bars", ...room });
  expect(levels.map(({ value }) => value)).toEqual([0, 10, 20]);
  expect(placed[0]?.y).toBe(50);
  expect(placed[2]?.y).toBeCloseTo(2.5);
  expect(placed.every(({ width }) => width > 0)).toBe(true);
});

it("gives a line of high shares more of the height, from one side to the other", () => {
  const { placed, path } = drawn(points(0.8, 0.75, 1), { kind: "line", ...room });
  expect(placed.map(({ x }) => x)).toEqual([0, 50, 100]);
  expect(placed[2]?.y).toBe(0);
  expect(placed[1]?.y).toBeCloseTo(50 - (0.15 / 0.4) * 50);
  expect(path).toMatch(/^M0,.*L50,.*L100,0$/);
});

it("names as many points as there is room for, and draws a single one or none", () => {
  expect(drawn(points(1, 2, 3, 4, 5, 6), { kind: "bars", ...room }).placed.map(({ named }) => named)).toEqual([true, false, true, false, true, false]);
  expect(drawn(points(0.9), { kind: "line", ...room }).placed[0]?.x).toBe(50);
  expect(drawn(points(), { kind: "bars", ...room }).placed).toEqual([]);
  expect(drawn(points(0, 0), { kind: "bars", ...room }).placed.map(({ y }) => y)).toEqual([50, 50]);
});
