import { describe, expect, it } from "vitest";

import { namedPath, problemsByPath } from "./problems";

const told = (path: string, keyword: string | null, expected: unknown, data: Record<string, unknown> = {}): string[] | undefined =>
  problemsByPath({ problems: [{ path, message: "As the server says it.", keyword, expected }], updated_llm_result: data }).get(path);

describe("what is wrong with a result", () => {
  it("is said in plain words, with the value that is there", () => {
    expect(told("total", "type", ["null", "number"], { total: "abc" })).toEqual(["“abc” is not a number."]);
    expect(told("total", "type", ["number"], { total: null })).toEqual(["Empty, but the schema asks for a number."]);
    expect(told("unit", "enum", ["EUR, or so", "USD"], { unit: "kg" })).toEqual(["“kg” is none of the choices: EUR, or so, USD."]);
    expect(told("code", "pattern", "^[A-Z]+$", { code: "x" })).toEqual(["“x” is not written in the form that the schema asks for."]);
    expect(told("age", "minimum", 0, { age: -1 })).toEqual(["“-1” is below 0, the least that the schema allows."]);
    expect(told("", "additionalProperties", ["a", "b"])).toEqual(["The schema has no field a, b."]);
    expect(told("notes", "minItems", 1, { notes: [] })).toEqual(["Empty, but the schema asks for something here."]);
    expect(told("", null, null)).toEqual(["As the server says it."]);
    expect(told("total", null, null, { total: 1 }), "a result of an earlier version").toEqual(["As the server says it."]);
  });

  it("stands at the field that is missing, and once", () => {
    const problem = { path: "lines.0", message: "'m.²' is a required property", keyword: "required", expected: "m.²" };
    const found = problemsByPath({ problems: [problem, problem], updated_llm_result: { lines: [{}] } });
    expect([...found]).toEqual([["/lines/0/m.²", ["Missing, but the schema asks for it."]]]);
  });

  it("is one thing where a value is empty", () => {
    const both = [
      { path: "status", message: "", keyword: "type", expected: ["string"] },
      { path: "status", message: "", keyword: "enum", expected: ["signed", "open"] },
    ];
    for (const problems of [both, both.toReversed()]) {
      const found = problemsByPath({ problems, updated_llm_result: { status: null } });
      expect(found.get("status")).toEqual(["Empty, but the schema asks for one of: signed, open."]);
    }
  });

  it("names fields as they are shown", () => {
    expect(["unit_price", "lines.0.unit_price", "seller.name", "notes.2"].map(namedPath)).toEqual(["Unit price", "Unit price, row 1 of Lines", "Name", "Notes 3"]);
  });
});
