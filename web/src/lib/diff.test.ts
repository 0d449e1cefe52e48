import { describe, expect, it } from "vitest";

import { diffFields, diffLines, diffWords, nearChanges, pairsOf } from "./diff";

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

describe("texts that differ in very much", () => {
  const numbered = (word: string): string => Array.from({ length: 600 }, (_, number) => `${word} ${number}`).join("\n");

  it("are told as a whole, not line by line", () => {
    const changes = diffLines(`${numbered("old")}\nsame`, `${numbered("new")}\nsame`);
    expect(changes.map(({ kind }) => kind)).toEqual([...Array<string>(601).fill("removed"), ...Array<string>(601).fill("added")]);
  });

  it("are not compared word by word", () => {
    expect(diffWords(numbered("old"), numbered("new"))).toBeNull();
  });
});

describe("diffFields", () => {
  it("names each leaf that differs by its path", () => {
    const before = { total: 1, lines: [{ name: "a" }], gone: true };
    const after = { total: 2, lines: [{ name: "a" }, { name: "b" }] };
    expect(diffFields(before, after)).toEqual([
      { path: "total", kind: "changed", before: 1, after: 2 },
      { path: "gone", kind: "removed", before: true },
      { path: "lines.1.name", kind: "added", after: "b" },
    ]);
  });

  it("sees empty containers and null as values", () => {
    expect(diffFields({ a: [] }, { a: null })).toEqual([{ path: "a", kind: "changed", before: "[]", after: null }]);
    expect(diffFields({ a: {} }, { a: {} })).toEqual([]);
  });
});

describe("nearChanges", () => {
  it("leaves out what is far from every change, and says how much", () => {
    const lines = "abcdefghij".split("").join("\n");
    const shown = nearChanges(diffLines(lines, lines.replace("e", "E")), 1);
    expect(shown.map((one) => (one.kind === "gap" ? one.count : `${one.kind} ${one.text}`))).toEqual([
      3, "same d", "removed e", "added E", "same f", 4,
    ]);
  });

  it("counts the lines that were left out before", () => {
    const told = (around: number): unknown[] =>
      nearChanges(diffLines("a\nb\nc", "a\nB\nc"), around, { above: 7, below: 20 }).map((one) => (one.kind === "gap" ? one.count : one.text));
    expect(told(1)).toEqual([7, "a", "b", "B", "c", 20]);
    expect(told(0)).toEqual([8, "b", "B", 21]);
  });

  it("leaves out everything when nothing changed", () => {
    expect(nearChanges(diffLines("a\nb", "a\nb"), 2)).toEqual([{ kind: "gap", count: 2 }]);
  });
});

describe("diffWords", () => {
  it("marks the words that only one of the lines has", () => {
    const words = diffWords("We move in May, when it ends.", "We move in June, when it ends.");
    expect(words?.before.filter((word) => word.isChanged).map((word) => word.text)).toEqual(["May"]);
    expect(words?.after.filter((word) => word.isChanged).map((word) => word.text)).toEqual(["June"]);
    expect(words?.after.map((word) => word.text).join("")).toBe("We move in June, when it ends.");
  });

  it("does not compare what has little in common", () => {
    expect(diffWords("Something else entirely", "A new line about plants")).toBeNull();
  });
});

describe("pairsOf", () => {
  it("pairs removed lines with the added ones that follow them", () => {
    const kinds = ["same", "removed", "removed", "added", "same", "added", "removed", "added"];
    expect(pairsOf(kinds.map((kind) => ({ kind })))).toEqual([[1, 3], [6, 7]]);
  });
});
