import { describe, expect, it } from "vitest";

import { diffFields, diffLines } from "./diff";

const told = (before: string, after: string): string[] =>
  diffLines(before, after).map((change) => `${{ same: " ", added: "+", removed: "-" }[change.kind]}${change.text}`);

describe("diffLines", () => {
  it("keeps what is equal and names what came and went", () => {
    expect(told("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
    expect(told("a", "a")).toEqual([" a"]);
    expect(told("", "a\nb")).toEqual(["-", "+a", "+b"]);
  });

  it("turns the first text into the second, whatever they are", () => {
    const texts = ["a\nb\nc\nd", "b\nd\nb", "", "d\nc\nb\na", "a\na\na", "x\na\ny\nb\nz"];
    for (const before of texts) {
      for (const after of texts) {
        const changes = diffLines(before, after);
        const without = (kind: string): string =>
          changes.filter((change) => change.kind !== kind).map((change) => change.text).join("\n");
        expect(without("added")).toBe(before);
        expect(without("removed")).toBe(after);
      }
    }
  });
});

describe("diffFields", () => {
  it("names each leaf that differs by its path", () => {
    const before = { total: 1, lines: [{ name: "a" }], gone: true };
    const after = { total: 2, lines: [{ name: "a" }, { name: "b" }] };
    expect(diffFields(before, after)).toEqual([
      { path: "total", kind: "changed", before: 1, after: 2 },
      { path: "gone", kind: "removed", before: true },
      { path: "lines[1].name", kind: "added", after: "b" },
    ]);
  });

  it("sees empty containers and null as values", () => {
    expect(diffFields({ a: [] }, { a: null })).toEqual([{ path: "a", kind: "changed", before: "[]", after: null }]);
    expect(diffFields({ a: {} }, { a: {} })).toEqual([]);
  });
});
