import { expect, it } from "vitest";

import { accuraciesOf, amountText, monthsOf, sureShare } from "./figures";

const month = (name: string, documents: number, amount: number | null) => ({ month: name, documents, amount });

it("fills the months between, over the end of a year, and shows at most twelve", () => {
  const months = [month("2025-11", 1, 10), month("2026-02", 2, 5.5)];
  expect(monthsOf({ amount: "total", months }).map(({ key, value }) => [key, value])).toEqual([
    ["2025-11", 10],
    ["2025-12", 0],
    ["2026-01", 0],
    ["2026-02", 5.5],
  ]);
  expect(monthsOf({ amount: null, months }).map(({ value }) => value)).toEqual([1, 0, 0, 2]);
  expect(monthsOf({ amount: "total", months: [month("1999-01", 1, 1), month("2026-02", 1, null)] })).toHaveLength(12);
  expect(monthsOf({ amount: "total", months: [] })).toEqual([]);
});

it("tells shares and amounts", () => {
  expect(sureShare({ documents: 20, to_check: 5 })).toBe(0.75);
  expect(sureShare({ documents: 0, to_check: 0 })).toBeNull();
  expect(amountText(41220.15, "EUR")).toBe("41,220.15\u00a0EUR");
  expect(amountText(3, null)).toBe("3.00");
});

it("takes the last measurement of each version, in the order of the versions", () => {
  const run = (prompt_version: number, f1: number | null) => ({ prompt_id: "a", prompt_name: "Invoices", prompt_version, f1, created_at: "" });
  expect(accuraciesOf([run(2, 0.9), run(1, 0.5), run(2, 0.95), run(3, null)])).toEqual([
    {
      promptId: "a",
      name: "Invoices",
      points: [
        { key: "1", label: "v1", value: 0.5 },
        { key: "2", label: "v2", value: 0.95 },
      ],
    },
  ]);
});
