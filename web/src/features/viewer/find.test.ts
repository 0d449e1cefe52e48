import { describe, expect, it } from "vitest";

import { findText } from "./find";

import type { Word } from "./find";

const word = (text: string, left: number, top = 0.1): Word => [text, left, top, left + 0.1, top + 0.02];
const PAGES = [
  { number: 1, lines: [[word("Total", 0.1), word("due", 0.25)], [word("SUBTOTAL", 0.1, 0.2)]] },
  { number: 2, lines: [[word("Café", 0.1), word("to", 0.3)], [word("tal", 0.1, 0.2)]] },
];

describe("finding text", () => {
  it("finds words and parts of words, in any case", () => {
    const hits = findText(PAGES, "total");
    expect(hits.map((hit) => hit.page)).toEqual([1, 1]);
    expect(hits[0]?.spots).toEqual([{ page: 1, box: [0.1, 0.1, 0.2, expect.closeTo(0.12)] }]);
    const [left, , right] = hits[1]?.spots[0]?.box ?? [];
    expect(left).toBeCloseTo(0.1 + 0.1 * (3 / 8));
    expect(right).toBeCloseTo(0.2);
  });

  it("finds phrases over words and over the end of a line", () => {
    expect(findText(PAGES, "  total   DUE ")[0]?.spots).toHaveLength(2);
    expect(findText(PAGES, "due subtotal")[0]?.spots.map((spot) => spot.box[1])).toEqual([0.1, 0.2]);
  });

  it("does not mind accents", () => {
    expect(findText(PAGES, "cafe")).toHaveLength(1);
    expect(findText(PAGES, "CAFÉ")).toHaveLength(1);
  });

  it("finds nothing for nothing, and nothing that is not there", () => {
    expect(findText(PAGES, "   ")).toEqual([]);
    expect(findText(PAGES, "invoice")).toEqual([]);
    expect(findText([], "total")).toEqual([]);
  });
});
