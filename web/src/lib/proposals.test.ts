import { describe, expect, it } from "vitest";

import { fieldWords, jsonSchemaOf, proposalWords } from "./proposals";

const summary = { fields: 13, values: 28, proven: 27, to_check: 2 };

describe("a proposal in words", () => {
  it("says what is made", () => {
    expect(proposalWords({ is_new: true, reason: null, schema: { name: "Invoice" }, summary })).toBe(
      "“Invoice”: 13 fields, 28 values, 2 to check",
    );
    expect(proposalWords({ is_new: true, reason: null, schema: null, summary: { fields: 0, values: 1, proven: 0, to_check: 0 } })).toBe(
      "Prompt without a schema, 1 value.",
    );
  });

  it("says what fits and why", () => {
    const reason = "“Invoice” fits: 11 of its 12 fields are found here.";
    expect(proposalWords({ is_new: false, reason, schema: { name: "Invoice" }, summary })).toBe(`${reason} 28 values, 2 to check.`);
    expect(proposalWords({ is_new: false, reason: null, schema: { name: "Invoice" }, summary })).toContain("“Invoice” fits.");
  });

  it("does not let a name pose as a part of the sentence", () => {
    const schema = { name: "x” with 99 fields, “y" };
    expect(proposalWords({ is_new: true, reason: null, schema, summary })).toContain("“x' with 99 fields, 'y”: 13 fields");
  });
});

describe("the fields of a proposed schema", () => {
  const lines = { type: "array", items: { type: "object", properties: { unit_price: {}, amount: {} } } };
  const schema = { type: "object", properties: { invoice_number: { type: "string" }, lines } };
  const format = { type: "json_schema", json_schema: { name: "invoice", schema } };

  it("are named as people say them", () => {
    expect(fieldWords(format)).toEqual(["Invoice number", "Lines (unit price, amount)"]);
    expect(jsonSchemaOf(format)).toEqual(schema);
  });

  it("are none where there is no schema", () => {
    expect(fieldWords(undefined)).toEqual([]);
    expect(jsonSchemaOf({ type: "text" })).toBeNull();
  });
});
