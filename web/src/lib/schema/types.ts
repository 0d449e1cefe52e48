import { t } from "@/lib/i18n";

import { isObject, without } from "./json";

import type { JsonObject } from "./json";

/** What a field holds, as people say it. */
export type Base = "text" | "date" | "number" | "integer" | "boolean" | "choice" | "group";
/** `other` is what only the JSON can say: references, alternatives, types of several kinds. */
export type FieldType = Base | `${Base}-list` | "other";

export const BASES: readonly Base[] = ["text", "date", "number", "integer", "boolean", "choice", "group"];

const ONE: Record<Base, string> = {
  get text() { return t("common.text"); },
  get date() { return t("common.date"); },
  get number() { return t("common.number"); },
  get integer() { return t("lib.wholeNumber"); },
  get boolean() { return t("common.yesOrNo"); },
  get choice() { return t("lib.oneOfSeveral"); },
  get group() { return t("lib.groupOfFields"); },
};
const MANY: Record<Base, string> = {
  get text() { return t("lib.listOfTexts"); },
  get date() { return t("lib.listOfDates"); },
  get number() { return t("lib.listOfNumbers"); },
  get integer() { return t("lib.listOfWholeNumbers"); },
  get boolean() { return t("lib.listOfYesOrNo"); },
  get choice() { return t("lib.listOfChoices"); },
  get group() { return t("common.table"); },
};

export function typeName(type: FieldType): string {
  if (type === "other") return t("lib.somethingElse");
  return isList(type) ? MANY[baseOf(type)] : ONE[baseOf(type)];
}

export function isList(type: FieldType): boolean {
  return type.endsWith("-list");
}

export function baseOf(type: Exclude<FieldType, "other">): Base {
  return type.replace("-list", "") as Base;
}

export function listOf(base: Base): FieldType {
  return `${base}-list`;
}

const JSON_TYPES: Record<Base, string> = {
  text: "string",
  date: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  choice: "string",
  get group() { return t("lib.object"); },
};
/** Keywords that make a schema more than the fields can show. */
const BEYOND = ["$ref", "anyOf", "oneOf", "allOf", "not", "if", "const"];

export function typeOf(schema: JsonObject): FieldType {
  if (BEYOND.some((keyword) => keyword in schema)) return "other";
  const type = plainType(schema);
  if (type !== "array") return baseOfSchema(schema, type) ?? "other";
  const items = schema.items;
  if (!isObject(items) || BEYOND.some((keyword) => keyword in items) || "enum" in schema) return "other";
  const base = baseOfSchema(items, plainType(items));
  return base ? listOf(base) : "other";
}

function baseOfSchema(schema: JsonObject, type: string | null): Base | null {
  if ("enum" in schema) return type === "string" && hasTextChoices(schema) ? "choice" : null;
  switch (type) {
    case "string":
      return schema.format === "date" ? "date" : "text";
    case "number":
    case "integer":
    case "boolean":
      return type;
    case "object":
      return isObject(schema.properties) || !("properties" in schema) ? "group" : null;
    default:
      return null;
  }
}

/** The one type beside null, or null when there are several. */
function plainType(schema: JsonObject): string | null {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (!Array.isArray(type)) return null;
  const real = type.filter((item) => item !== "null");
  return real.length === 1 && typeof real[0] === "string" ? real[0] : null;
}

export function isNullable(schema: JsonObject): boolean {
  return schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null"));
}

function hasTextChoices(schema: JsonObject): boolean {
  return Array.isArray(schema.enum) && schema.enum.every((item) => typeof item === "string" || item === null);
}

/** The schema that describes the values of a list, or the field itself. */
export function coreOf(schema: JsonObject): JsonObject {
  return plainType(schema) === "array" && isObject(schema.items) ? schema.items : schema;
}

export function choicesOf(schema: JsonObject): string[] {
  const { enum: values } = coreOf(schema);
  return Array.isArray(values) ? values.filter((item): item is string => typeof item === "string") : [];
}

export function withNull(schema: JsonObject, nullable: boolean): JsonObject {
  const type = plainType(schema);
  if (type === null || isNullable(schema) === nullable) return schema;
  const changed: JsonObject = { ...schema, type: nullable ? [type, "null"] : type };
  if (!Array.isArray(schema.enum)) return changed;
  const values = schema.enum.filter((item) => item !== null);
  return { ...changed, enum: nullable ? [...(values as unknown[]), null] : values };
}

export function withChoices(schema: JsonObject, choices: string[]): JsonObject {
  if (plainType(schema) === "array" && isObject(schema.items)) {
    return { ...schema, items: withChoices(schema.items, choices) };
  }
  return { ...schema, enum: isNullable(schema) ? [...choices, null] : choices };
}

/** Another type. What both types know stays: description, nested fields, choices, and keywords we do not know. */
export function withType(schema: JsonObject, type: Exclude<FieldType, "other">): JsonObject {
  if (typeOf(schema) === type) return schema;
  const nullable = isNullable(schema);
  const core = withBase(coreOf(schema), baseOf(type));
  const wasList = coreOf(schema) !== schema;
  if (!isList(type)) {
    const outer = wasList ? kept(schema) : {};
    return withNull({ ...core, ...outer }, nullable);
  }
  const items = withNull(wasList ? core : without(core, "description", "title"), false);
  const outer = wasList ? without(schema, "items", "type") : kept(schema);
  return { ...withNull({ type: "array", ...outer }, nullable), items };
}

function kept({ description, title }: JsonObject): JsonObject {
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

function withBase(schema: JsonObject, base: Base): JsonObject {
  const bare = withNull(without(schema, ...BEYOND), false);
  let next: JsonObject = { type: JSON_TYPES[base], ...without(bare, "type") };
  if (base === "date") next = { ...next, format: "date" };
  else if (next.format === "date") next = without(next, "format");
  if (base === "choice") next = { ...next, enum: choicesOf(schema).length ? choicesOf(schema) : ["first", "second"] };
  else next = without(next, "enum");
  if (base !== "group") return without(next, "properties", "required", "additionalProperties", "items");
  return {
    ...without(next, "items"),
    properties: isObject(next.properties) ? next.properties : {},
    required: Array.isArray(next.required) ? next.required : [],
    additionalProperties: next.additionalProperties ?? false,
  };
}
