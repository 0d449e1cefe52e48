import { describe, expect, it } from "vitest";

import type { Prompt } from "@/lib/api/prompts";
import type { Schema } from "@/lib/api/schemas";

import { blank, changed, componentsIn, inserted, keyFrom, keyProblem, labelled, mappingIn, moved, removed, retyped, rowsOf, setOptions, unfilled } from "./build";
import { offeredBy } from "./fromSchema";

import type { Row } from "./build";
import type { FormFormat } from "./useForms";

const FORM = {
  json_formio: [
    { type: "textfield", key: "kind", label: "Kind", input: true, custom: { kept: true } },
    { type: "datagrid", key: "lines", label: "Lines", input: true, components: [{ type: "number", key: "amount", label: "Amount" }] },
    { type: "columns", columns: [{ components: [] }] },
  ],
  json_formio_mapping: { kind: { sources: [{ promptName: "P", schemaFieldPath: "kind" }] }, amount: { sources: [] } },
} as unknown as FormFormat;

const row = (format: FormFormat, id: string): Row => {
  const found = rowsOf(format).find((one) => one.id === id);
  if (!found) throw new Error(`no row ${id}`);
  return found;
};
const keys = (format: FormFormat): (string | undefined)[] => rowsOf(format).map(({ component }) => component.key);

describe("the builder of a form", () => {
  it("shows fields and those inside of tables, and keeps what it does not know", () => {
    expect(rowsOf(FORM).map(({ id, depth, isGroup, hasMore }) => [id, depth, isGroup, hasMore])).toEqual([
      ["0", 0, false, false],
      ["1", 0, true, false],
      ["1.0", 1, false, false],
      ["2", 0, false, true],
    ]);
    const touched = changed(FORM, row(FORM, "0"), { placeholder: "x" });
    expect(componentsIn(touched)[0]).toMatchObject({ custom: { kept: true }, placeholder: "x" });
    expect(componentsIn(touched)[2]).toBe(componentsIn(FORM)[2]);
  });

  it("adds, moves and removes at every depth, with keys of their own", () => {
    const added = inserted(FORM, [1], 0, { ...blank("textfield"), label: "Amount" });
    expect(keys(added)).toEqual(["kind", "lines", "amount_2", "amount", undefined]);
    expect(keys(moved(added, row(added, "1.0"), 1))).toEqual(["kind", "lines", "amount", "amount_2", undefined]);
    const without = removed(FORM, row(FORM, "1"));
    expect(keys(without)).toEqual(["kind", undefined]);
    expect(Object.keys(mappingIn(without))).toEqual(["kind"]);
  });

  it("lets the key and what fills the field follow the label, unless somebody chose the key", () => {
    const renamed = labelled(FORM, row(FORM, "0"), "Kind of paper");
    expect(componentsIn(renamed)[0]).toMatchObject({ label: "Kind of paper", key: "kind_of_paper" });
    expect(Object.keys(mappingIn(renamed))).toEqual(["kind_of_paper", "amount"]);
    const chosen = changed(FORM, row(FORM, "0"), { key: "mine" });
    expect(componentsIn(labelled(chosen, row(chosen, "0"), "Other"))[0]).toMatchObject({ label: "Other", key: "mine" });
    expect(keyFrom("Größe & Preis (€)")).toBe("große_preis");
    expect(mappingIn(unfilled(FORM, row(FORM, "0")))).toEqual({ amount: { sources: [] } });
  });

  it("changes the kind with the choices, in the place that Form.io wants for each", () => {
    const select = retyped(FORM, row(FORM, "0"), "select");
    const some = setOptions(select, row(select, "0"), ["A", "B"]);
    expect(componentsIn(some)[0]).toMatchObject({ type: "select", key: "kind", data: { values: [{ label: "A", value: "A" }, { label: "B", value: "B" }] } });
    const radio = retyped(some, row(some, "0"), "radio");
    expect(componentsIn(radio)[0]).toMatchObject({ type: "radio", values: [{ label: "A" }, { label: "B" }] });
    expect(componentsIn(radio)[0]).not.toHaveProperty("data");
    expect(componentsIn(retyped(FORM, row(FORM, "1"), "textfield"))[1]).not.toHaveProperty("components");
  });

  it("says what is wrong with a key", () => {
    const twice = changed(FORM, row(FORM, "0"), { key: "lines" });
    expect(keyProblem(twice, row(twice, "0"))).toBe("There is a field with the key “lines” already.");
    expect(keyProblem(changed(FORM, row(FORM, "0"), { key: "" }), { ...row(FORM, "0"), component: { type: "textfield", key: "", input: true } })).toContain("needs a key");
    expect(keyProblem(FORM, row(FORM, "1.0"))).toBeNull();
  });
});

describe("fields from a schema", () => {
  const schema = {
    schema_id: "s1",
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "i",
        strict: true,
        schema: {
          type: "object",
          properties: {
            number: { type: "string", description: "Top right" },
            date: { type: ["string", "null"], format: "date" },
            paid: { type: "boolean" },
            status: { type: "string", enum: ["open", "closed"] },
            seller: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
            lines: { type: "array", items: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } },
            notes: { type: "array", items: { type: "string" } },
          },
          required: ["number", "date", "paid", "status", "seller", "lines", "notes"],
        },
      },
    },
  } as unknown as Schema;
  const prompt = { schema_id: "s1", prompt_revid: "p9", name: "Invoices" } as Prompt;

  it("have the kind, the label and the rules of the schema's, and the prompt that fills them", () => {
    const offered = offeredBy(schema, [{ schema_id: "other" } as Prompt, prompt]);
    expect(offered.map(({ path, component }) => [path, component.type, component.key])).toEqual([
      ["number", "textfield", "number"],
      ["date", "datetime", "date"],
      ["paid", "checkbox", "paid"],
      ["status", "select", "status"],
      ["seller.name", "textfield", "seller_name"],
      ["lines", "datagrid", "lines"],
      ["notes", "textarea", "notes"],
    ]);
    expect(offered[0]).toMatchObject({
      component: { label: "Number", description: "Top right", validate: { required: true } },
      mapping: { sources: [{ promptRevId: "p9", promptName: "Invoices", schemaFieldPath: "number" }], mappingType: "direct" },
    });
    expect(offered[1]?.component).toMatchObject({ enableTime: false });
    expect(offered[1]?.component.validate).toBeUndefined();
    expect(offered[3]?.component.data?.values?.map((option) => option.value)).toEqual(["open", "closed"]);
    expect(offered[5]?.component.components).toMatchObject([{ type: "number", key: "amount" }]);
    expect(offeredBy(schema, []).every(({ mapping }) => mapping === undefined)).toBe(true);
  });
});
