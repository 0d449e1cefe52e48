import { describe, expect, it } from "vitest";

import { suggestedLines } from "./suggestions";

const PLAN = { name: "Plan", version: 3 };

function preview(before: string, after: string, values: object = {}, leftOut: object = { lines_above: 0, lines_below: 0 }) {
  const fields = [{ field: "content", before, after, ...leftOut }];
  return { kind: "text", name: "Plan", version_from: 3, version_to: 4, fields, ...values };
}

describe("lines that a change which waits would touch", () => {
  it("are those that go and those that get something beside them", () => {
    expect(suggestedLines([preview("a\nb\nc", "a\nB\nc")], PLAN)).toEqual([{ from: 2, to: 2 }]);
    expect(suggestedLines([preview("a\nb\nc", "a\nb\nc\nd")], PLAN)).toEqual([{ from: 3, to: 3 }]);
    expect(suggestedLines([preview("a\nb\nc\nd", "A\nb\nc\nD")], PLAN)).toEqual([{ from: 1, to: 1 }, { from: 4, to: 4 }]);
  });

  it("are counted from the beginning of the whole text", () => {
    const leftOut = { lines_above: 10, lines_below: 5 };
    expect(suggestedLines([preview("k\nl", "k\nL", {}, leftOut)], PLAN)).toEqual([{ from: 12, to: 12 }]);
    expect(suggestedLines([preview("k\nl", "n\nk\nl", {}, leftOut)], PLAN)).toEqual([{ from: 10, to: 10 }]);
  });

  it("are none where the preview does not say which lines it shows", () => {
    const before = "[… 10 lines as they are …]\nk\nl";
    expect(suggestedLines([preview(before, before.replace("l", "L"), {}, {})], PLAN)).toEqual([]);
  });

  it("are none for another document, another version, or a change of another kind", () => {
    expect(suggestedLines([preview("a", "b", { name: "Costs" })], PLAN)).toEqual([]);
    expect(suggestedLines([preview("a", "b", { version_from: 2 })], PLAN)).toEqual([]);
    expect(suggestedLines([{ kind: "delete", name: "Plan" }, null], PLAN)).toEqual([]);
  });
});
