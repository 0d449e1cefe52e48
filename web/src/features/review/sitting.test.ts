import { describe, expect, it } from "vitest";

import type { Assignment } from "@/lib/api/review";

import { BEGIN, afterChange, afterConclusion, afterPassing, afterUndo, nextDoubt, placeWords } from "./sitting";

function assignment(id: string, revision: number, waiting: number, ...paths: string[]): Assignment {
  const doubts = paths.map((path) => ({ path, confidence: 0, match: "unproven", problem: null }));
  return { document_id: id, document_name: id, doubts, waiting, result: { revision }, json_schema: null, kept_until: "" } as unknown as Assignment;
}

describe("a sitting", () => {
  const first = assignment("a", 1, 32, "total", "date", "lines.0.price");
  const second = assignment("b", 1, 31);
  const begun = { ...BEGIN, current: first, ahead: second };

  it("says how far it is", () => {
    expect(placeWords({ done: 6 }, assignment("x", 1, 26, "a", "b", "c"))).toBe("7 of 32, 3 values left");
    expect(placeWords(BEGIN, assignment("x", 1, 0))).toBe("1 of 1, nothing doubtful");
  });

  it("goes to the next doubt and begins again after the last", () => {
    expect(nextDoubt(first, null)).toBe("total");
    expect(nextDoubt(first, "total")).toBe("date");
    expect(nextDoubt(first, "lines.0.price")).toBe("total");
    expect(nextDoubt(second, null)).toBeNull();
  });

  it("has the next document at once, and brings the former back with every change before it", () => {
    const edited = afterChange(begun, "a", 1, 2);
    expect(afterChange(edited, "a", 1, 2)).toBe(edited);
    const on = afterConclusion(edited, "a", 2, 3);
    expect([on.current, on.ahead, on.done]).toEqual([second, undefined, 1]);
    const back = assignment("a", 4, 32, "total");
    const undone = afterUndo(on, on.made[1]!, back);
    expect([undone.current, undone.ahead, undone.done]).toEqual([back, second, 0]);
    expect(undone.made).toEqual([{ documentId: "a", before: 1, concluded: false }]);
    expect(undone.revisions.a).toBe(4);
  });

  it("does not come to a passed document again", () => {
    expect(afterPassing(begun, "a")).toMatchObject({ current: second, passed: ["a"], done: 0 });
    expect(afterPassing({ ...begun, ahead: null }, "a").current).toBeUndefined();
  });
});
