import { expect, it } from "vitest";

import type { LearntFrom } from "@/lib/api/learning";

import { byField } from "./learnt";

it("adds up what documents taught of each field", () => {
  const field = (path: string, right: number, wrong: number, doubtful: boolean) => ({ path, right, wrong, doubtful });
  const documents = [
    { fields: [field("seller.name", 1, 0, false)] },
    { fields: [field("total", 2, 1, false), field("seller.name", 0, 3, true)] },
  ] as LearntFrom[];
  expect(byField(documents)).toEqual([
    { path: "seller.name", label: "Seller, Name", documents: 2, right: 1, wrong: 3, doubtful: 1 },
    { path: "total", label: "Total", documents: 1, right: 2, wrong: 1, doubtful: 0 },
  ]);
});
