import { describe, expect, it } from "vitest";

import { leftWords, millisecondsLeft, nextStep, stepsOf } from "./thread";

import type { Pile } from "./thread";

const INVOICE = { promptId: "p1", name: "Invoice", waiting: 0, values: 0 };
const PILE: Pile = { files: 20, unread: 0, preparing: 0, proposed: 0, kinds: [] };

describe("the way from files to a sheet", () => {
  it("says how far each part is", () => {
    const pile = { ...PILE, unread: 2, proposed: 2, kinds: [{ ...INVOICE, waiting: 2, values: 7 }] };
    expect(stepsOf(pile).map(({ label }) => label)).toEqual(["20 files", "18 of 20 read", "3 kinds", "7 values to check", "sheet"]);
    expect(stepsOf({ ...pile, kinds: [{ ...INVOICE, waiting: 2 }] })[3]?.label).toBe("2 documents to check");
  });

  it("leads to what is proposed, then to what is to check, then to the sheet", () => {
    const waiting = [{ ...INVOICE, waiting: 2, values: 7 }, { ...INVOICE, promptId: "p2", waiting: 1 }];
    expect(nextStep({ ...PILE, proposed: 3, kinds: waiting })).toEqual({ label: "Look at 3 kinds", path: "proposals" });
    expect(nextStep({ ...PILE, kinds: waiting })).toEqual({ label: "Check 7 values", path: "review/p1" });
    expect(nextStep({ ...PILE, kinds: waiting.slice(1) })?.label).toBe("Check 1 document");
    expect(nextStep({ ...PILE, kinds: [INVOICE] })).toEqual({ label: "Open the sheet", path: "sheets/p1" });
    expect(nextStep({ ...PILE, kinds: [INVOICE, { ...INVOICE, promptId: "p2" }] })?.path).toBe("sheets");
    expect(nextStep(PILE)).toBeNull();
  });

  it("knows the time left once something is done", () => {
    const begun = { at: 0, left: 10 };
    expect(millisecondsLeft(begun, { at: 60_000, left: 10 })).toBeNull();
    expect(leftWords(millisecondsLeft(begun, { at: 60_000, left: 8 }) ?? 0)).toBe("about 4 min left");
    expect(leftWords(10_000)).toBe("less than 1 min left");
  });
});
