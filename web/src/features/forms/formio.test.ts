import { describe, expect, it } from "vitest";

import type { Result } from "@/lib/api/results";

import { parsedFormat } from "./draft";
import { defaultsOf, inputsOf, mistakesOf, settled } from "./formio";
import { prefilled } from "./prefill";

import type { Component } from "./formio";

const FORM: Component[] = [
  { type: "textfield", key: "number", validate: { required: true } },
  { type: "columns", columns: [{ components: [{ type: "number", key: "sum", validate: { max: 100 } }] }, { components: [{ type: "checkbox", key: "ok", defaultValue: false }] }] },
  { type: "panel", components: [{ type: "signature", key: "sign" }] },
  { type: "container", key: "seller", components: [{ type: "textfield", key: "name", validate: { required: true } }] },
  { type: "datagrid", key: "rows", components: [{ type: "number", key: "amount" }] },
  { type: "button", key: "submit" },
];

const RESULT = {
  prompt_revid: "p2",
  prompt_name: "Invoice",
  updated_llm_result: { number: 7, total: "1,617.30", lines: [{ amount: 1 }], first: "Ada", last: "Byron" },
} as unknown as Result;

const from = (schemaFieldPath: string, promptRevId = "p2") => ({ promptRevId, promptName: "Invoice", schemaFieldPath });

describe("a form", () => {
  it("holds the values of its components, also inside layouts and of unknown kinds", () => {
    expect(inputsOf(FORM).map((component) => component.key)).toEqual(["number", "sum", "ok", "sign", "seller", "rows"]);
    expect(defaultsOf(FORM)).toEqual({ ok: false, seller: {} });
  });

  it("is filled from the extraction by its mapping, in the type of each field", () => {
    const mapping = {
      number: { sources: [from("number")], mappingType: "direct" },
      sum: { sources: [from("total", "an older revision")], mappingType: "direct" },
      rows: { sources: [from("lines")] },
      "seller.name": { sources: [] },
      missing: { sources: [from("number")] },
    };
    expect(prefilled(FORM, mapping, [RESULT])).toEqual({ number: "7", sum: 1617.3, rows: [{ amount: 1 }] });
    const joined = { number: { sources: [from("first"), from("last")], mappingType: "concatenated", concatenationSeparator: ", " } };
    expect(prefilled(FORM, joined, [RESULT])).toEqual({ number: "Ada, Byron" });
    expect(prefilled(FORM, null, [RESULT])).toEqual({});
  });

  it("says what is missing or wrong by field", () => {
    expect(mistakesOf(FORM, { number: "", sum: 101 })).toEqual({ number: "This is needed.", sum: "At most 100.", "seller.name": "This is needed." });
    expect(mistakesOf(FORM, { number: "1", sum: "ten", seller: { name: "A" } })).toEqual({ sum: "“ten” is not a number. Write it like 1234.56." });
  });

  it("sends numbers as numbers and keeps what it does not know", () => {
    const values = { sum: "12.50", sign: "data", other: 1, rows: [{ amount: "3" }] };
    expect(settled(FORM, values)).toEqual({ sum: 12.5, sign: "data", other: 1, rows: [{ amount: 3 }] });
  });
});

describe("a form as JSON", () => {
  it("is the two parts, a list of components, or what Form.io's builder gives", () => {
    expect(parsedFormat('[{"type": "textfield"}]')).toMatchObject({ format: { json_formio: [{ type: "textfield" }] } });
    expect(parsedFormat('{"components": []}')).toMatchObject({ format: { json_formio: [] } });
    expect(parsedFormat('{"json_formio": [], "json_formio_mapping": {"a": {}}}')).toMatchObject({ format: { json_formio_mapping: { a: {} } } });
  });

  it("is refused in words", () => {
    expect(parsedFormat("{")).toEqual({ error: expect.stringContaining("not JSON") as string });
    expect(parsedFormat('[{"key": "a"}]')).toEqual({ error: "Component 1 of json_formio has no type." });
    expect(parsedFormat('{"json_formio": {}}')).toEqual({ error: "json_formio has to be a list of components." });
  });
});
