import { describe, expect, it } from "vitest";

import { below, columnOf, isWithin, nameOf, pathOf, stepsOf, valueAt } from "./fieldPath";

const ODD = ["Total incl. VAT", "Rechnungs-Nr.", "a/b", "~", "~1", "", "/", ".", " ", "0", "01", 'say "x"', "🧾", "m.²", "__proto__", "-1"];

describe("the path of a value", () => {
  it("is written with dots for plain names, else as a JSON Pointer", () => {
    expect(pathOf([])).toBe("");
    expect(pathOf(["lines", 0, "unit price"])).toBe("lines.0.unit price");
    expect(pathOf(["Total incl. VAT"])).toBe("/Total incl. VAT");
    expect(pathOf(["lines", 0, "m.²"])).toBe("/lines/0/m.²");
    expect(pathOf([""])).toBe("/");
    expect(pathOf(["a/b", "~", ""])).toBe("/a~1b/~0/");
  });

  it("is read as it was written, whatever the names hold", () => {
    for (const one of ODD) {
      for (const other of ODD) {
        for (const steps of [[one], [one, other], [one, 3, other]]) {
          expect(stepsOf(pathOf(steps)).map(String)).toEqual(steps.map(String));
        }
      }
    }
  });

  it("leads to the value", () => {
    for (const one of ODD) {
      for (const other of ODD) {
        const data = Object.fromEntries([[one, [Object.fromEntries([[other, 7]])]]]);
        expect(valueAt(data, pathOf([one, 0, other]))).toBe(7);
      }
    }
    expect(valueAt({ a: { b: 1 }, "a.b": 2 }, "a.b")).toBe(1);
    expect(valueAt({ a: { b: 1 }, "a.b": 2 }, "/a.b")).toBe(2);
    expect(valueAt({ a: 1 }, "a.b.c")).toBeUndefined();
    expect(valueAt({ a: 1 }, "")).toEqual({ a: 1 });
  });

  it("lies within what holds it, by steps and not by letters", () => {
    expect(isWithin("lines.0.price", "lines")).toBe(true);
    expect(isWithin("lines", "lines")).toBe(true);
    expect(isWithin("lines2", "lines")).toBe(false);
    expect(isWithin("/a.b/c", "a")).toBe(false);
    expect(isWithin("anything", "")).toBe(true);
  });

  it("has a name and a column", () => {
    expect(["lines.0.price", "notes.2", "/Total incl. VAT", "0", ""].map(nameOf)).toEqual(["price", "notes", "Total incl. VAT", "0", ""]);
    expect(["lines.0.price", "/lines/12/m.²"].map(columnOf)).toEqual(["lines.*.price", "/lines/*/m.²"]);
    expect(below("lines", 2, "m.²")).toBe("/lines/2/m.²");
    expect(below("", "a")).toBe("a");
  });
});
