import { describe, expect, it } from "vitest";

import { compareFormats, countFields, isSame } from "./compare";
import { added, changed, draftOf, hindrance, mended, moved, named, redone, removed, typed, undone } from "./draft";
import {
  addField,
  emptyFormat,
  insideOf,
  moveField,
  nameProblem,
  removeField,
  renameField,
  setChoices,
  setDescription,
  setRequired,
  setType,
  wireName,
  wrapped,
} from "./edits";
import { rowsOf, SCHEMA_PATH } from "./fields";
import { getAt } from "./json";
import { BASES, listOf, typeOf, withType } from "./types";

import type { Draft } from "./draft";
import type { FieldRow } from "./fields";
import type { JsonObject } from "./json";

/** A schema with much that the rows do not show. */
function rich(): JsonObject {
  return {
    type: "json_schema",
    json_schema: {
      name: "invoice",
      strict: true,
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        title: "An invoice",
        properties: {
          number: { type: "string", description: "The number", pattern: "^[0-9]+$", examples: ["2041"] },
          date: { type: ["string", "null"], format: "date" },
          kind: { type: "string", enum: ["invoice", "credit note"], "x-order": 3 },
          vendor: { $ref: "#/$defs/party" },
          total: { anyOf: [{ type: "number" }, { type: "null" }], description: "With tax" },
          lines: {
            type: "array",
            minItems: 1,
            items: {
              type: "object",
              title: "Line",
              properties: { text: { type: "string" }, amount: { type: "number", minimum: 0 } },
              required: ["text", "amount"],
              additionalProperties: false,
            },
          },
        },
        required: ["number", "date", "kind", "vendor", "total", "lines"],
        additionalProperties: false,
        $defs: { party: { type: "object", properties: {}, required: [], additionalProperties: false } },
      },
    },
  };
}

const row = (format: JsonObject, name: string): FieldRow => {
  const found = rowsOf(format).find((item) => item.name === name);
  if (!found) throw new Error(`no row ${name}`);
  return found;
};
const rowOf = (draft: Draft, name: string): FieldRow => {
  const found = rowsOf(draft.format, draft.aliases).find((item) => item.name === name);
  if (!found) throw new Error(`no row ${name}`);
  return found;
};
const names = (format: JsonObject): string[] => rowsOf(format).map((item) => `${"  ".repeat(item.depth)}${item.name}`);

describe("rows", () => {
  it("shows fields in their order, nested ones below", () => {
    expect(names(rich())).toEqual(["number", "date", "kind", "vendor", "total", "lines", "  text", "  amount"]);
  });

  it("says what each field is", () => {
    expect(rowsOf(rich()).map((item) => item.type)).toEqual([
      "text", "date", "choice", "other", "other", "group-list", "text", "number",
    ]);
    expect(row(rich(), "date").required).toBe(false);
    expect(row(rich(), "number")).toMatchObject({ required: true, extras: ["pattern", "examples"] });
    expect(row(rich(), "kind").choices).toEqual(["invoice", "credit note"]);
  });
});

describe("edits keep what they do not know", () => {
  const before = rich();

  it("when a field is renamed, described, moved and made optional", () => {
    let now = renameField(before, SCHEMA_PATH, "number", "invoice_number");
    now = setDescription(now, row(now, "invoice_number").path, "As printed");
    now = setRequired(now, SCHEMA_PATH, "invoice_number", false);
    now = moveField(now, SCHEMA_PATH, "lines", 0);
    const expected = rich();
    const schema = getAt(expected, SCHEMA_PATH) as { properties: JsonObject; required: string[] };
    const { number, lines, ...others } = schema.properties;
    schema.properties = {
      lines,
      invoice_number: { ...(number as JsonObject), description: "As printed", type: ["string", "null"] },
      ...others,
    };
    schema.required[0] = "invoice_number";
    expect(now).toEqual(expected);
    expect(Object.keys(getAt(now, [...SCHEMA_PATH, "properties"]) as JsonObject)[0]).toBe("lines");
    expect(before).toEqual(rich());
  });

  it("comes back to the very same JSON after every edit and its opposite", () => {
    const text = JSON.stringify(before);
    const there = renameField(before, SCHEMA_PATH, "kind", "sort");
    expect(JSON.stringify(renameField(there, SCHEMA_PATH, "sort", "kind"))).toBe(text);
    const { format, name } = addField(before, row(before, "amount").parent, "text");
    expect(names(format).slice(-3)).toEqual(["  text", `  ${name}`, "  amount"]);
    expect(JSON.stringify(removeField(format, row(before, "amount").parent, name))).toBe(text);
    expect(JSON.stringify(moveField(moveField(before, SCHEMA_PATH, "date", 4), SCHEMA_PATH, "date", 1))).toBe(text);
    const optional = setRequired(before, SCHEMA_PATH, "kind", false);
    expect(getAt(optional, row(optional, "kind").path)).toMatchObject({ type: ["string", "null"], enum: ["invoice", "credit note", null] });
    expect(JSON.stringify(setRequired(optional, SCHEMA_PATH, "kind", true))).toBe(text);
  });

  it("when a type changes: description, unknown keywords and nested fields stay", () => {
    const lines = row(before, "lines");
    const single = setType(before, lines.path, "group");
    expect(names(single).slice(-2)).toEqual(["  text", "  amount"]);
    const again = setType(single, lines.path, "group-list");
    expect(names(again).slice(-2)).toEqual(["  text", "  amount"]);
    expect(getAt(setType(before, row(before, "number").path, "text-list"), row(before, "number").path)).toEqual({
      type: "array",
      description: "The number",
      items: { type: "string", pattern: "^[0-9]+$", examples: ["2041"] },
    });
    const replaced = getAt(setType(before, row(before, "total").path, "number"), row(before, "total").path);
    expect(replaced).toEqual({ type: "number", description: "With tax" });
  });

  it("reads back every type that it writes, from every other", () => {
    const all = [...BASES, ...BASES.map(listOf)] as Exclude<ReturnType<typeof typeOf>, "other">[];
    for (const from of all) {
      for (const to of all) {
        for (const nullable of [false, true]) {
          const start = withType({ type: nullable ? ["string", "null"] : "string", description: "d" }, from);
          const end = withType(start, to);
          expect([from, to, typeOf(end)]).toEqual([from, to, to]);
          expect(end.description).toBe("d");
          expect(Array.isArray(end.type)).toBe(nullable);
        }
      }
    }
  });

  it("changes choices of a field and of a list", () => {
    const kind = row(before, "kind");
    expect(row(setChoices(before, kind.path, ["a", "b"]), "kind").choices).toEqual(["a", "b"]);
    const list = setChoices(setType(before, kind.path, "choice-list"), kind.path, ["a"]);
    expect(row(list, "kind")).toMatchObject({ type: "choice-list", choices: ["a"], extras: ["x-order"] });
  });

  it("leaves optional fields out of `required` where the schema is not strict", () => {
    const loose = { type: "json_schema", json_schema: { name: "x", schema: { type: "object", properties: { a: { type: "string" } } } } };
    const required = setRequired(loose, SCHEMA_PATH, "a", true);
    expect(getAt(required, [...SCHEMA_PATH, "required"])).toEqual(["a"]);
    expect(getAt(setRequired(required, SCHEMA_PATH, "a", false), [...SCHEMA_PATH, "required"])).toEqual([]);
  });
});

it("refuses names that are empty or used twice, and takes those of every object", () => {
  expect(nameProblem(rich(), SCHEMA_PATH, " ", "number")).toContain("needs a name");
  expect(nameProblem(rich(), SCHEMA_PATH, "date", "number")).toContain("already");
  expect(nameProblem(rich(), SCHEMA_PATH, "toString", "number")).toBeNull();
});

it("makes names for providers, and wraps a schema that was pasted", () => {
  expect(wireName("Rechnung Köln 2!")).toBe("rechnung_koln_2");
  expect(wireName("ÖÄ 発注")).not.toBe("");
  expect(wrapped({ type: "object", properties: {} }, "x")).toMatchObject({ json_schema: { name: "x", strict: true } });
  expect(wrapped({ name: "y", schema: { type: "object" } }, "x")).toMatchObject({ json_schema: { name: "y" } });
  expect(wrapped([1], "x")).toBeNull();
});

describe("a draft", () => {
  it("keeps broken JSON as it was typed, and the fields as they were", () => {
    const start = draftOf(rich());
    const broken = typed(start, start.text.replace('"invoice"', '"invoice'));
    expect(broken.problem).not.toBeNull();
    expect(broken.format).toEqual(rich());
    expect(changed(broken, emptyFormat()).text).toBe(broken.text);
    expect(hindrance(broken)).toContain("cannot be read");
    expect(typed(broken, start.text)).toMatchObject({ problem: null, text: start.text });
    expect(mended(broken)).toMatchObject({ problem: null, text: start.text });
  });

  it("keeps spacing of the JSON that somebody typed", () => {
    const start = draftOf(emptyFormat());
    const compact = JSON.stringify(rich());
    expect(typed(start, compact).text).toBe(compact);
  });

  it("keeps a name that cannot be used beside its field until it can", () => {
    let draft = draftOf(rich());
    const { id } = rowOf(draft, "number");
    draft = named(draft, rowOf(draft, "number"), "date");
    expect(draft.names[id]).toBe("date");
    expect(draft.format).toEqual(rich());
    expect(hindrance(draft)).toContain("already");
    draft = moved(draft, rowOf(draft, "number"), 3);
    expect(draft.names[id]).toBe("date");
    draft = named(draft, rowOf(draft, "number"), "date_2");
    expect(hindrance(draft)).toBeNull();
    expect(rowOf(draft, "date_2").id).toBe(id);
  });

  it("lets a row go on under its id through renames of itself and of its group", () => {
    let draft = draftOf(rich());
    const [group, inner] = [rowOf(draft, "lines").id, rowOf(draft, "amount").id];
    draft = named(draft, rowOf(draft, "lines"), "items");
    draft = named(draft, rowOf(draft, "amount"), "price");
    expect([rowOf(draft, "items").id, rowOf(draft, "price").id]).toEqual([group, inner]);
    const [more, id] = added(draft, insideOf(draft.format, rowOf(draft, "items").path), group);
    expect(rowsOf(more.format, more.aliases).find((item) => item.id === id)).toMatchObject({ depth: 1, type: "text" });
    expect(new Set(rowsOf(more.format, more.aliases).map((item) => item.id)).size).toBe(rowsOf(more.format).length);
  });

  it("goes back and forth", () => {
    const start = draftOf(rich());
    const gone = removed(start, rowOf(start, "lines"));
    expect(names(gone.format)).not.toContain("lines");
    expect(undone(gone).format).toEqual(rich());
    expect(redone(undone(gone)).format).toEqual(gone.format);
  });
});

describe("comparison", () => {
  it("tells fields, order and the rest apart", () => {
    let now = renameField(rich(), SCHEMA_PATH, "kind", "sort");
    now = setDescription(now, row(now, "number").path, "As printed");
    now = setType(now, row(now, "amount").path, "text");
    now = moveField(now, SCHEMA_PATH, "date", 0);
    (now.json_schema as JsonObject).strict = false;
    const found = compareFormats(rich(), now);
    expect(found.fields).toContainEqual({ kind: "added", field: "sort", details: ["one of several"] });
    expect(found.fields).toContainEqual({ kind: "removed", field: "kind", details: ["one of several"] });
    expect(found.fields).toContainEqual({ kind: "changed", field: "number", details: ["described as “As printed”"] });
    expect(found.fields).toContainEqual({ kind: "changed", field: "lines › amount", details: ["Number became text"] });
    expect(found.reordered).toEqual([""]);
    expect(found.rest).toContainEqual({ path: "json_schema.strict", kind: "changed", before: true, after: false });
  });

  it("notices a keyword that the rows do not show", () => {
    const now = rich();
    (getAt(now, row(now, "number").path) as JsonObject).pattern = "^[A-Z]+$";
    expect(compareFormats(rich(), now).fields).toEqual([
      { kind: "changed", field: "number", details: ["pattern changed"] },
    ]);
    expect(isSame(compareFormats(rich(), rich()))).toBe(true);
    expect(countFields(rich())).toBe(8);
  });
});
