import { expect, it } from "vitest";

import { filled, lastDays, roundTop, shortDay } from "./days";

it("counts back over the end of a month, today last", () => {
  expect(lastDays(3, new Date("2026-03-01T23:30:00Z"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

it("fills the days on which nothing happened", () => {
  expect(filled(["2026-03-01", "2026-03-02"], [{ key: "2026-03-02", spus: 4, calls: 2 }])).toEqual([
    { date: "2026-03-01", credits: 0, calls: 0 },
    { date: "2026-03-02", credits: 4, calls: 2 },
  ]);
});

it("ends the axis at a round number", () => {
  expect([0, 1, 3, 7, 10, 11, 99, 180].map(roundTop)).toEqual([1, 1, 5, 10, 10, 20, 100, 200]);
  expect(shortDay("2026-11-05")).toBe("5 Nov");
});
