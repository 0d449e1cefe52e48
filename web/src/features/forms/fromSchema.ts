import type { Prompt } from "@/lib/api/prompts";
import type { Schema } from "@/lib/api/schemas";
import { pathOf } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { rowsOf } from "@/lib/schema/fields";
import type { FieldRow } from "@/lib/schema/fields";
import { isList } from "@/lib/schema/types";

import { blank, withOptions } from "./build";

import type { Component } from "./formio";
import type { FieldMapping } from "./prefill";

/** A field of a schema as a component, and what fills it. */
export interface Offered {
  /** `seller.name`. */
  path: string;
  component: Component;
  mapping: FieldMapping | undefined;
}

const TYPES: Record<string, string> = { date: "datetime", number: "number", integer: "number", boolean: "checkbox", choice: "select" };

/** The fields of a schema for a form: groups by what is inside them, tables as tables. The first prompt that uses the schema fills them. */
export function offeredBy(schema: Schema, prompts: readonly Prompt[]): Offered[] {
  const prompt = prompts.find((one) => one.schema_id === schema.schema_id);
  const rows = rowsOf(schema.response_format);
  const tables = rows.filter((row) => row.type === "group-list");
  const outside = rows.filter((row) => row.type !== "group" && !tables.some((table) => row.id.startsWith(`${table.id}/`)));
  return outside.map((row) => {
    const names = row.path.filter((_, index) => row.path[index - 1] === "properties");
    const path = pathOf(names);
    const inner = rows.filter((one) => one.parentId === row.id);
    return { path, component: { ...componentOf(row, inner), key: names.join("_").replaceAll(".", "_") }, mapping: prompt && fills(prompt, path) };
  });
}

function componentOf(row: FieldRow, inner: readonly FieldRow[]): Component {
  const common = { key: row.name, label: words(row.name), ...(row.description && { description: row.description }), ...(row.required && { validate: { required: true } }) };
  if (row.type === "group-list") {
    return { ...blank("datagrid"), ...common, components: inner.map((column) => ({ ...componentOf(column, []), validate: undefined })) };
  }
  const made = { ...blank(isList(row.type) ? "textarea" : (TYPES[row.type] ?? "textfield")), ...common };
  return row.choices && made.type === "select" ? withOptions(made, row.choices) : made;
}

function fills(prompt: Prompt, schemaFieldPath: string): FieldMapping {
  return { sources: [{ promptRevId: prompt.prompt_revid, promptName: prompt.name, schemaFieldPath }], mappingType: "direct" };
}
