import { diffFields } from "@/lib/diff";
import type { FieldChange } from "@/lib/diff";
import { inSentence, t } from "@/lib/i18n";

import { rowsOf } from "./fields";
import { changeAt, getAt, isObject, objectAt, sameJson, without } from "./json";
import { coreOf, typeName } from "./types";

import type { FieldRow } from "./fields";
import type { JsonObject } from "./json";

export interface SchemaChange {
  kind: "added" | "removed" | "changed";
  /** The field as people read it: `lines › amount`. */
  field: string;
  /** What it is, or what is different about it. */
  details: string[];
}

export interface SchemaComparison {
  fields: SchemaChange[];
  /** Fields of these groups stand in another order; the empty text is the whole schema. */
  reordered: string[];
  /** What differs outside of the fields: strict, the name for providers, definitions. */
  rest: FieldChange[];
}

/** What differs between two versions, in the words of the fields. */
export function compareFormats(before: JsonObject, after: JsonObject): SchemaComparison {
  const [old, now] = [byPlace(before), byPlace(after)];
  const fields: SchemaChange[] = [];
  for (const [place, row] of now) {
    const former = old.get(place);
    if (!former) fields.push({ kind: "added", field: place, details: told(row) });
    else {
      const details = differences(former, row, before, after);
      if (details.length) fields.push({ kind: "changed", field: place, details });
    }
  }
  for (const [place, row] of old) {
    if (!now.has(place)) fields.push({ kind: "removed", field: place, details: told(row) });
  }
  return { fields, reordered: reordered(old, now), rest: diffFields(frame(before), frame(after)) };
}

export function isSame({ fields, reordered: order, rest }: SchemaComparison): boolean {
  return !fields.length && !order.length && !rest.length;
}

export function countFields(format: unknown): number {
  return isObject(format) ? rowsOf(format).length : 0;
}

/** `json_schema › schema › properties › lines › items › properties › amount` as `lines › amount`. */
export function placeOf(row: FieldRow): string {
  return row.path.filter((_, index) => row.path[index - 1] === "properties").join(" › ");
}

function byPlace(format: JsonObject): Map<string, FieldRow> {
  return new Map(rowsOf(format).map((row) => [placeOf(row), row]));
}

function told(row: FieldRow): string[] {
  return [inSentence(typeName(row.type)) + (row.required ? "" : t("lib.optional")), ...(row.description ? [row.description] : [])];
}

function differences(old: FieldRow, now: FieldRow, before: JsonObject, after: JsonObject): string[] {
  const details: string[] = [];
  if (old.type !== now.type) details.push(t("lib.typeBecameType2", { type: typeName(old.type), type2: inSentence(typeName(now.type)) }));
  if (old.required !== now.required) details.push(now.required ? t("lib.requiredNow") : t("lib.optionalNow"));
  if (old.description !== now.description) {
    details.push(now.description ? t("lib.describedAsDescription", { description: now.description }) : t("lib.noDescriptionAnyMore"));
  }
  if (old.choices && now.choices) {
    const [had, has] = [old.choices, now.choices];
    const added = has.filter((item) => !had.includes(item));
    const removed = had.filter((item) => !has.includes(item));
    if (added.length) details.push(t("lib.alsoAdded", { added: added.join(", ") }));
    if (removed.length) details.push(t("lib.noLongerRemoved", { removed: removed.join(", ") }));
  }
  const [one, other] = [extraValues(old, before), extraValues(now, after)];
  if (!sameJson(one, other)) {
    for (const change of diffFields(one, other)) details.push(`${change.path} ${change.kind}`);
  }
  return details;
}

function extraValues(row: FieldRow, format: JsonObject): JsonObject {
  const schema = objectAt(format, row.path);
  const core = coreOf(schema);
  return Object.fromEntries(row.extras.map((key) => [key, schema[key] ?? core[key]]));
}

function reordered(old: Map<string, FieldRow>, now: Map<string, FieldRow>): string[] {
  const groups = new Set([...now.keys()].map(parentPlace));
  return [...groups].filter((group) => {
    const order = (all: Map<string, FieldRow>, other: Map<string, FieldRow>): string[] =>
      [...all.keys()].filter((place) => parentPlace(place) === group && other.has(place));
    return !sameJson(order(old, now), order(now, old));
  });
}

function parentPlace(place: string): string {
  return place.includes(" › ") ? place.slice(0, place.lastIndexOf(" › ")) : "";
}

/** The response format without its fields. */
function frame(format: JsonObject): JsonObject {
  if (!isObject(getAt(format, ["json_schema", "schema"]))) return format;
  return changeAt(format, ["json_schema", "schema"], (schema) => without(schema, "properties", "required"));
}
