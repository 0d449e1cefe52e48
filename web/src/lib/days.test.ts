import { expect, it } from "vitest";

import { byDay, lastDays, shortMonth } from "./days";

it("counts back over the end of a month, today last", () => {
  expect(lastDays(3, new Date("2026-03-01T23:30:00Z"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

it("fills the days on which nothing happened", () => {
  expect(byDay(["2026-03-01", "2026-03-02"], [["2026-03-02", 4]])).toEqual([
    { key: "2026-03-01", label: "1 Mar", value: 0 },
    { key: "2026-03-02", label: "2 Mar", value: 4 },
  ]);
  expect(shortMonth("2026-11")).toBe("Nov 26");
});
