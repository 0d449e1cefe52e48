import { describe, expect, it } from "vitest";

import { isLocated, spotsOf, sureness, taught, told } from "./grounding";
import { whoFound } from "./voices";

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
    expect(told({ ...hidden, signals: { reason: "seen_by_model" } })).toContain("Only a model reads it on page 4");
  });

  it("shows where only the model saw a value, beside what the readers read, and does not call it proven", () => {
    const seen: Grounding = { ...unproven, seen: { page: 2, box: [0.5, 0.4, 0.7, 0.5], read: "INV-2041" } };
    expect(told(seen)).toBe("Seen by the model, page 2, here. Not confirmed by the readers. They read “INV-2041” there.");
    expect(spotsOf(seen)).toEqual([{ page: 2, box: [0.5, 0.4, 0.7, 0.5] }]);
    expect(isLocated(seen)).toBe(false);
  });

  it("says in words how sure a value is, and nothing of results that do not know", () => {
    expect(sureness({ ...unproven, confidence: 0.31 })).toBe("Probably wrong: of 100 values like it, about 31 are right.");
    expect(sureness({ ...unproven, confidence: 0.912 })).toBe("Very likely right: of 100 values like it, about 91 are right.");
    expect(sureness(unproven)).toBe("");
    expect(sureness(null)).toBe("");
  });

  it("says from how many documents a value was learnt", () => {
    expect(taught({ ...unproven, signals: { learnt: "agrees", learnt_from: 3 } })).toBe("Learnt from 3 documents of this layout.");
    expect(taught({ ...unproven, signals: { learnt: "differs", learnt_from: 1 } })).toContain("1 document of this layout");
    expect(taught(unproven)).toBe("");
  });

  it("tells a contradiction from a value that was not found", () => {
    expect(told({ ...unproven, signals: { reason: "contradicted" } })).toContain("says otherwise");
    expect(told({ ...unproven, signals: { reason: "not_found" } })).toBe("Not found in the document.");
  });
});

describe("who found a value", () => {
  const place: Grounding = { match: "exact", page: 1, words: [word(1)], candidates: 1 };

  it("names the voices of the built-in model, and what another one read", () => {
    expect(whoFound({ ...place, voice: "both", rivals: [] })).toContain("agree");
    expect(whoFound({ ...place, voice: "rules", rivals: ["2025-08-11"] })).toBe(
      "Found by rules of the built-in model. Read by the network as “2025-08-11”.",
    );
    expect(whoFound({ ...place, voice: "memory", rivals: ["R-17"] })).toBe(
      "Found as in verified documents of this layout. Read by the model itself as “R-17”.",
    );
    expect(whoFound({ ...place, voice: "network", rivals: [] })).toBe("Found by the network of the built-in model.");
  });

  it("says nothing of results that do not tell", () => {
    expect(whoFound(place)).toBe("");
    expect(whoFound(null)).toBe("");
  });
});
