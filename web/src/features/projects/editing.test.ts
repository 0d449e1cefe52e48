import { describe, expect, it } from "vitest";

import { begun, inStep, isBehind, isDirty, onTopOf, takenUp } from "./editing";

const FIRST = { version: 1, content: "May" };
const SECOND = { version: 2, content: "June" };

describe("what is typed into a document", () => {
  it("follows the newest version until something is typed", () => {
    expect(inStep(begun(FIRST), SECOND)).toEqual(begun(SECOND));
    const typed = { ...begun(FIRST), text: "May 5" };
    expect(inStep(typed, SECOND)).toBe(typed);
    expect(isDirty(typed)).toBe(true);
    expect(isBehind(typed, SECOND)).toBe(true);
  });

  it("is no change when somebody else saved the same", () => {
    expect(inStep({ ...begun(FIRST), text: "June" }, SECOND)).toEqual(begun(SECOND));
  });

  it("is taken up again where it was left", () => {
    const same = takenUp({ value: "May 5", base: "1" }, FIRST);
    expect(same).toEqual({ base: 1, before: "May", text: "May 5" });
    const old = takenUp({ value: "May 5", base: "1" }, SECOND);
    expect(isDirty(old)).toBe(true);
    expect(isBehind(old, SECOND)).toBe(true);
    expect(old.text).toBe("May 5");
  });

  it("starts over when nothing was left, or only what is there already", () => {
    expect(takenUp(null, FIRST)).toEqual(begun(FIRST));
    expect(takenUp({ value: "June", base: "1" }, SECOND)).toEqual(begun(SECOND));
    expect(takenUp({ value: "x", base: null }, FIRST)).toEqual(begun(FIRST));
  });

  it("goes on top of the newest version when one wants it so", () => {
    const mine = onTopOf({ ...begun(FIRST), text: "May 5" }, SECOND);
    expect(isBehind(mine, SECOND)).toBe(false);
    expect(isDirty(mine)).toBe(true);
    expect(mine.text).toBe("May 5");
  });
});
