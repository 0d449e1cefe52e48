import { describe, expect, it } from "vitest";

import { namedPath, problemsByPath } from "./problems";

const told = (path: string, message: string, data: Record<string, unknown> = {}): string[] | undefined =>
  problemsByPath({ problems: [{ path, message }], updated_llm_result: data }).get(path);

describe("what is wrong with a result", () => {
  it("is said in plain words, with the value that is there", () => {
    expect(told("total", "'abc' is not of type 'number', 'null'", { total: "abc" })).toEqual(["“abc” is not a number."]);
    expect(told("total", "None is not of type 'number'", { total: null })).toEqual(["Empty, but the schema asks for a number."]);
    expect(told("unit", "'kg' is not one of ['EUR', 'USD']", { unit: "kg" })).toEqual(["“kg” is none of the choices: EUR, USD."]);
    expect(told("code", "'x' does not match '^[A-Z]+$'", { code: "x" })).toEqual(["“x” is not written in the form that the schema asks for."]);
    expect(told("age", "-1 is less than the minimum of 0", { age: -1 })).toEqual(["“-1” is below 0, the least that the schema allows."]);
    expect(told("", "Additional properties are not allowed ('a', 'b' were unexpected)")).toEqual(["The schema has no field a, b."]);
    expect(told("", "Missing: pages 3 to 4: the model did not answer")).toEqual(["Missing: pages 3 to 4: the model did not answer"]);
  });

  it("stands at the field that is missing, and once", () => {
    const problem = { path: "lines.0", message: "'amount' is a required property" };
    const found = problemsByPath({ problems: [problem, problem], updated_llm_result: { lines: [{}] } });
    expect([...found]).toEqual([["lines.0.amount", ["Missing, but the schema asks for it."]]]);
  });

  it("is one thing where a value is empty", () => {
    const messages = ["None is not of type 'string'", "None is not one of ['signed', 'open']"];
    for (const order of [messages, messages.toReversed()]) {
      const problems = order.map((message) => ({ path: "status", message }));
      const found = problemsByPath({ problems, updated_llm_result: { status: null } });
      expect(found.get("status")).toEqual(["Empty, but the schema asks for one of: signed, open."]);
    }
  });

  it("names fields as they are shown", () => {
    expect(["unit_price", "lines.0.unit_price", "seller.name", "notes.2"].map(namedPath)).toEqual(["Unit price", "Unit price, row 1 of Lines", "Name", "Notes 3"]);
  });
});
