import { describe, expect, it } from "vitest";

import { isLocated, told } from "./grounding";

import type { Grounding } from "./grounding";

const word = (page: number) => ({ text: "Acme", page, box: [0.1, 0.1, 0.2, 0.12] as [number, number, number, number] });
const unproven: Grounding = { match: "unproven", page: null, words: [], candidates: 0 };

describe("what is told of a value's place", () => {
  it("names both pages of a value that runs over a page break", () => {
    const grounding: Grounding = { match: "exact", page: 2, words: [word(2), word(3)], candidates: 1 };
    expect(told(grounding)).toBe("Printed on pages 2 and 3, letter for letter.");
    expect(told({ ...grounding, words: [word(2)] })).toBe("Printed on page 2, letter for letter.");
  });

  it("does not call a number another one for its zeros, and quotes what a date is printed as", () => {
    const printed = (text: string): Grounding => ({ match: "normalised", page: 1, words: [{ ...word(1), text }], candidates: 1 });
    expect(told(printed("4.00"), 4)).toBe("Printed on page 1.");
    expect(told(printed("1,909.40"), 1909.4)).toBe("Printed on page 1.");
    expect(told(printed("14 March 2026"), "2026-03-14")).toBe("Printed on page 1 as “14 March 2026”.");
  });

  it("says that a value stands only in hidden text, which does not prove it", () => {
    const hidden: Grounding = { ...unproven, candidates: 1, alternatives: [{ page: 4 }], signals: { reason: "hidden" } };
    expect(told(hidden)).toContain("Stands only in hidden text on page 4");
    expect(isLocated(hidden)).toBe(false);
  });

  it("tells a contradiction from a value that was not found", () => {
    expect(told({ ...unproven, signals: { reason: "contradicted" } })).toContain("says otherwise");
    expect(told({ ...unproven, signals: { reason: "not_found" } })).toBe("Not found in the document.");
  });
});
