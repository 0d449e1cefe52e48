import { describe, expect, it } from "vitest";

import { tallyOf, tallyWords, verdictOf } from "./known";

import type { Known } from "./known";

const FOUND: Known = { isFound: true, chance: 0.99, isDoubtful: false, isChecked: false, warning: null };

describe("what is known of a value", () => {
  it("comes to one of three verdicts", () => {
    expect(verdictOf(FOUND)).toBe("sure");
    expect(verdictOf({ ...FOUND, isDoubtful: true, chance: 0.4 })).toBe("check");
    expect(verdictOf({ ...FOUND, isDoubtful: true, isChecked: true })).toBe("checked");
  });

  it("is never settled while something is wrong, though the words are on the page or a person wrote them", () => {
    expect(verdictOf({ ...FOUND, warning: "The rows add up to 30." })).toBe("check");
    expect(verdictOf({ ...FOUND, isChecked: true, warning: "is not a date" })).toBe("check");
  });

  it("is counted in words, without what there is none of", () => {
    expect(tallyWords(tallyOf(["sure", "check", "sure", "checked"]))).toBe("4 values: 2 sure, 1 to check, 1 checked");
    expect(tallyWords(tallyOf(["sure"]))).toBe("1 value: 1 sure");
  });
});
