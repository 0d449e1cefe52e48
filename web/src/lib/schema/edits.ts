import { t } from "@/lib/i18n";

import { SCHEMA_PATH, groupPath, isStrict, propertiesAt, requiredAt } from "./fields";
import { changeAt, getAt, isObject, objectAt, renamed, without } from "./json";
import { withChoices, withNull, withType } from "./types";

import type { JsonObject, Path } from "./json";
import type { FieldType } from "./types";

/*
 * Every edit changes the keywords it is about and nothing else: what the fields cannot show stays in the JSON, in its
 * place and order.
 */

export function emptyFormat(name = "document"): JsonObject {
  return {
    type: "json_schema",
    json_schema: {
      name,
      schema: { type: "object", properties: {}, required: [], additionalProperties: false },
      strict: true,
    },
  };
}

/** A name that providers take, made from what people call it. */
export function wireName(name: string): string {
  const plain = name.normalize("NFKD").replace(/[^\w\s-]/g, "").trim().toLowerCase();
  return plain.replace(/[\s-]+/g, "_").slice(0, 64) || "document";
}

export function withWireName(format: JsonObject, name: string): JsonObject {
  return changeAt(format, ["json_schema"], (inner) => ({ ...inner, name }));
}

/** A whole response format around a schema that somebody pasted; null when it is not one. */
export function wrapped(value: unknown, name: string): JsonObject | null {
  if (!isObject(value)) return null;
  if (isObject(value.schema)) return { type: "json_schema", json_schema: { name, strict: true, ...value } };
  if (value.type !== "object" && !isObject(value.properties)) return null;
  return { type: "json_schema", json_schema: { name, schema: value, strict: true } };
}

/** True when the fields can be shown and changed. */
export function isFormat(value: unknown): value is JsonObject {
  return isObject(value) && isObject(getAt(value, SCHEMA_PATH));
}

/** Adds a text field after the others, or after one of them, and says what it is called. */
export function addField(format: JsonObject, parent: Path, after?: string): { format: JsonObject; name: string } {
  const name = freeName(propertiesAt(format, parent));
  const next = changeAt(format, parent, (holder) => {
    const old = isObject(holder.properties) ? holder.properties : {};
    const entries = Object.entries(old);
    const at = after === undefined ? entries.length : entries.findIndex(([key]) => key === after) + 1;
    const properties = Object.fromEntries([...entries.slice(0, at), [name, { type: "string" }], ...entries.slice(at)]);
    return { ...holder, properties, required: [...requiredAt(format, parent), name] };
  });
  return { format: next, name };
}

function freeName(properties: JsonObject): string {
  for (let number = Object.keys(properties).length + 1; ; number += 1) {
    const name = `field_${number}`;
    if (!Object.hasOwn(properties, name)) return name;
  }
}

export function removeField(format: JsonObject, parent: Path, name: string): JsonObject {
  return changeHolder(format, parent, (properties, required) => [
    without(properties, name),
    required.filter((item) => item !== name),
  ]);
}

/** Why a field cannot have this name; null when it can. */
export function nameProblem(format: JsonObject, parent: Path, name: string, own: string): string | null {
  if (name.trim() === "") return t("lib.aFieldNeedsAName");
  if (name !== own && Object.hasOwn(propertiesAt(format, parent), name)) return t("lib.thereIsAFieldNameAlready", { name });
  return null;
}

export function renameField(format: JsonObject, parent: Path, from: string, to: string): JsonObject {
  return changeHolder(format, parent, (properties, required) => [
    renamed(properties, from, to),
    required.map((item) => (item === from ? to : item)),
  ]);
}

export function moveField(format: JsonObject, parent: Path, name: string, to: number): JsonObject {
  return changeHolder(format, parent, (properties, required) => {
    const others = Object.entries(properties).filter(([key]) => key !== name);
    const at = Math.max(0, Math.min(others.length, to));
    const moved: [string, unknown] = [name, properties[name]];
    return [Object.fromEntries([...others.slice(0, at), moved, ...others.slice(at)]), required];
  });
}

export function setType(format: JsonObject, path: Path, type: Exclude<FieldType, "other">): JsonObject {
  return changeAt(format, path, (schema) => withType(schema, type));
}

export function setDescription(format: JsonObject, path: Path, description: string): JsonObject {
  return changeAt(format, path, (schema) =>
    description === "" ? without(schema, "description") : { ...schema, description },
  );
}

export function setChoices(format: JsonObject, path: Path, choices: string[]): JsonObject {
  return changeAt(format, path, (schema) => withChoices(schema, choices));
}

/** In a strict schema a field that may be missing stays listed and may be null; elsewhere it is not listed. */
export function setRequired(format: JsonObject, parent: Path, name: string, required: boolean): JsonObject {
  const strict = isStrict(format);
  const listed = changeHolder(format, parent, (properties, all) => [
    properties,
    strict || required ? (all.includes(name) ? all : [...all, name]) : all.filter((item) => item !== name),
  ]);
  if (!strict) return listed;
  return changeAt(listed, [...parent, "properties", name], (schema) => withNull(schema, !required));
}

/** Where fields are added below a group or table. */
export function insideOf(format: JsonObject, path: Path): Path {
  return groupPath(path, objectAt(format, path));
}

function changeHolder(
  format: JsonObject,
  parent: Path,
  change: (properties: JsonObject, required: string[]) => [JsonObject, string[]],
): JsonObject {
  const [properties, required] = change(propertiesAt(format, parent), requiredAt(format, parent));
  return changeAt(format, parent, (holder) => {
    const had = Array.isArray(holder.required);
    return { ...holder, properties, ...((had || required.length > 0) && { required }) };
  });
}
