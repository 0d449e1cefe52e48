import { describe, expect, it } from "vitest";

import type { Result } from "@/lib/api/results";
import { USUAL } from "@/lib/written";

import { fieldOfId, fieldsOf, leavesOf, tallied, targetsOf } from "./tree";
import { parsedValue } from "./value";
import { shownValue, typedValue, writingOf } from "./writing";

import type { Leaf, Table } from "./tree";

const at = (text: string, page = 1) => ({ match: "exact", page, words: [{ text, page, box: [0.1, 0.1, 0.2, 0.12] }], candidates: 1 });
const UNPROVEN = { match: "unproven", page: null, words: [], candidates: 0 };

const SCHEMA = {
  type: "object",
  properties: {
    number: { type: "string", description: "As the seller gave it" },
    paid: { type: ["boolean", "null"] },
    due: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    currency: { enum: ["EUR", "USD"] },
    seller: { $ref: "#/$defs/party" },
    lines: { type: "array", items: { type: "object", properties: { text: { type: "string" }, amount: { type: "number" } } } },
    notes: { type: "array", items: { type: "string" } },
  },
  $defs: { party: { type: "object", properties: { name: { type: "string" } } } },
};

function result(change: Partial<Result> = {}): Result {
  const data = {
    number: "42",
    currency: "EUR",
    seller: { name: "Acme" },
    lines: [
      { text: "Chair", amount: 10 },
      { text: "Desk", amount: 20 },
    ],
    notes: ["fragile"],
    extra: "beyond the schema",
  };
  return {
    prompt_revid: "p1",
    json_schema: SCHEMA,
    llm_result: data,
    updated_llm_result: data,
    is_edited: false,
    is_verified: false,
    verified_paths: [],
    problems: [],
    grounding: {
      number: at("42"),
      currency: UNPROVEN,
      seller: { name: at("Acme") },
      lines: [
        { text: at("Chair"), amount: at("10.00") },
        { text: at("Desk"), amount: UNPROVEN },
      ],
      notes: [at("fragile", 2)],
      extra: null,
    },
    ...change,
  } as unknown as Result;
}

const leaf = (of: Result, path: string): Leaf | undefined => leavesOf(fieldsOf(of)).find((item) => item.path === path);

describe("fields of a result", () => {
  it("follow the schema, also where the data is silent, and then the rest of the data", () => {
    expect(fieldsOf(result()).map((node) => [node.path, node.kind])).toEqual([
      ["number", "value"],
      ["paid", "value"],
      ["due", "value"],
      ["currency", "value"],
      ["seller", "group"],
      ["lines", "table"],
      ["notes", "list"],
      ["extra", "value"],
    ]);
  });

  it("have the input of their type", () => {
    const inputs = Object.fromEntries(leavesOf(fieldsOf(result())).map((item) => [item.path, item.input]));
    expect(inputs).toMatchObject({ number: "text", paid: "boolean", due: "date", currency: "choice", "lines.0.amount": "number" });
    expect(leaf(result(), "currency")?.options).toEqual(["EUR", "USD"]);
    expect(leaf(result(), "number")?.description).toBe("As the seller gave it");
  });

  it("show lists of objects as rows, named by column and row", () => {
    const table = fieldsOf(result()).find((node) => node.kind === "table") as Table;
    expect(table.columns.map((column) => column.label)).toEqual(["Text", "Amount"]);
    expect(table.rows[1]?.map((cell) => [cell.path, cell.label, cell.value])).toEqual([
      ["lines.1.text", "Text, row 2", "Desk"],
      ["lines.1.amount", "Amount, row 2", 20],
    ]);
  });

  it("are marked by what is known of them", () => {
    expect(leaf(result(), "number")?.mark).toBe("sure");
    expect(leaf(result(), "currency")?.mark).toBe("check");
    expect(leaf(result(), "paid")?.mark).toBe("empty");
    const edited = result({ is_edited: true, llm_result: { number: "41" } });
    expect(leaf(edited, "number")?.mark).toBe("checked");
    const verified = result({ verified_paths: ["lines.0", "number"] });
    expect([leaf(verified, "number")?.mark, leaf(verified, "lines.0.amount")?.mark, leaf(verified, "lines.1.amount")?.mark]).toEqual([
      "checked",
      "checked",
      "check",
    ]);
    expect(leaf(result({ is_verified: true }), "currency")?.mark).toBe("checked");
  });

  it("are to check below the confidence that the prompt asks for, though they are on the page", () => {
    const unsure = result({ grounding: { number: { ...at("42"), confidence: 0.9 } } });
    expect(leaf(unsure, "number")).toMatchObject({ mark: "check", known: { isFound: true, chance: 0.9 } });
    expect(leavesOf(fieldsOf(unsure, 0.8)).find(({ path }) => path === "number")?.mark).toBe("sure");
  });

  it("carry in plain words what is wrong with them", () => {
    const wrong = result({ problems: [{ path: "lines.1", message: "", keyword: "required", expected: "amount" }] });
    expect(leaf(wrong, "lines.1.amount")?.problems).toEqual(["Missing, but the schema asks for it."]);
    expect(leaf(wrong, "lines.0.amount")?.problems).toEqual([]);
  });

  it("count as sure, to check or checked; empty ones count where the schema asks for them", () => {
    const count = (change: Partial<Result>) => tallied(leavesOf(fieldsOf(result(change))));
    expect(count({})).toEqual({ values: 8, sure: 6, to_check: 2, checked: 0 });
    expect(count({ verified_paths: ["currency"] })).toEqual({ values: 8, sure: 6, to_check: 1, checked: 1 });
    const sum = [{ path: "number", message: "", keyword: "sum", expected: { rows: "lines.amount", computed: "30" } }];
    expect(count({ problems: sum })).toEqual({ values: 8, sure: 5, to_check: 3, checked: 0 });
    const missing = [{ path: "", message: "", keyword: "required", expected: "due" }];
    expect(count({ problems: missing })).toEqual({ values: 9, sure: 6, to_check: 3, checked: 0 });
    const before = { ...result().llm_result, currency: "USD" };
    expect(count({ verified_paths: ["lines"], is_edited: true, llm_result: before })).toEqual({ values: 8, sure: 3, to_check: 0, checked: 5 });
  });

  it("are not called unproven where the model writes in its own words", () => {
    const summary = { summary: "An invoice of Acme." };
    const written = result({ prompt_revid: "default", json_schema: null, llm_result: summary, updated_llm_result: summary, grounding: { summary: UNPROVEN } });
    expect(leaf(written, "summary")?.mark).toBe("written");
    expect(tallied(leavesOf(fieldsOf(written))).values).toBe(0);
  });

  it("can be reached from their words", () => {
    const targets = targetsOf([result()]);
    expect(targets.filter((target) => target.page === 2).map((target) => fieldOfId(target.id))).toEqual([{ promptRevid: "p1", path: "notes.0" }]);
    expect(targets).toHaveLength(6);
  });

  it("need no schema", () => {
    const free = fieldsOf(result({ json_schema: null }));
    expect(free.map((node) => node.kind)).toEqual(["value", "value", "group", "table", "list", "value"]);
  });
});

describe("what is typed into a field", () => {
  const parsed = (input: Leaf["input"], typed: string, options: unknown[] = []) => parsedValue({ input, options, nullable: true }, typed, USUAL);

  it("becomes a value of its type", () => {
    expect(parsed("number", " 1 234.50 ")).toEqual({ value: 1234.5 });
    expect(parsed("number", "1,910.00")).toEqual({ value: 1910 });
    expect(parsed("date", "15 Jan 2024")).toEqual({ value: "2024-01-15" });
    expect(parsed("boolean", "false")).toEqual({ value: false });
    expect(parsed("choice", "2", [1, 2])).toEqual({ value: 2 });
    expect(parsed("text", "")).toEqual({ value: null });
  });

  it("is refused in words when it is none", () => {
    expect(parsed("number", "twelve")).toEqual({ error: expect.stringContaining("not a number") as string });
    expect(parsed("integer", "1.5")).toEqual({ error: expect.stringContaining("whole number") as string });
    expect(parsed("date", "soon")).toEqual({ error: expect.stringContaining("not a date") as string });
  });
});

describe("how values are written", () => {
  const printed = (text: string) => at(text);
  const data = { total: 1909.4, tax: 310.6, day: "2024-01-15", year: 2024, lines: [{ price: 189, quantity: 4 }, { price: 12.5, quantity: 3 }] };
  const schema = {
    type: "object",
    properties: {
      total: { type: "number" },
      tax: { type: "number" },
      day: { type: "string", format: "date" },
      year: { type: "integer" },
      lines: { type: "array", items: { type: "object", properties: { price: { type: "number" }, quantity: { type: "number" } } } },
    },
  };
  const grounding = {
    total: printed("1.909,40"),
    tax: UNPROVEN,
    day: printed("15.01.2024"),
    year: printed("2024"),
    lines: [
      { price: printed("189,00"), quantity: printed("4") },
      { price: UNPROVEN, quantity: UNPROVEN },
    ],
  };
  const leaves = leavesOf(fieldsOf(result({ json_schema: schema, llm_result: data, updated_llm_result: data, grounding })));

  it("is the document's way: as printed, else as the column, else as money", () => {
    const writing = writingOf(leaves);
    expect(Object.fromEntries(leaves.map((one) => [one.path, shownValue(one, writing)]))).toEqual({
      total: "1.909,40",
      tax: "310,60",
      day: "15.01.2024",
      year: "2024",
      "lines.0.price": "189,00",
      "lines.0.quantity": "4",
      "lines.1.price": "12,50",
      "lines.1.quantity": "3",
    });
  });

  it("comes back as the same value when it is not changed", () => {
    const writing = writingOf(leaves);
    for (const one of leaves) expect(parsedValue(one, typedValue(one, writing), writing.style)).toEqual({ value: one.value });
  });
});
