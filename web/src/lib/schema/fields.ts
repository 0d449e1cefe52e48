import { getAt, isObject, objectAt } from "./json";
import { baseOf, choicesOf, coreOf, isNullable, typeOf } from "./types";

import type { JsonObject, Path } from "./json";
import type { FieldType } from "./types";

export const SCHEMA_PATH: Path = ["json_schema", "schema"];

/** One field as a row. `path` leads from the response format to its schema, `parent` to the object that holds it. */
export interface FieldRow {
  /** Stays the same while the field is renamed or moved. */
  id: string;
  path: Path;
  parent: Path;
  parentId: string;
  name: string;
  depth: number;
  index: number;
  siblings: number;
  type: FieldType;
  /** In a strict schema every field is listed as required, and one that may be missing may be null. */
  required: boolean;
  description: string;
  choices: string[] | null;
  /** Fields can be added below it. */
  isGroup: boolean;
  /** Keywords that only the JSON shows. */
  extras: string[];
}

/** Keeps the id of a row while it is renamed: `parent id, name` to a local id. */
export type Aliases = Readonly<Record<string, string>>;

export const aliasKey = (parentId: string, name: string): string => JSON.stringify([parentId, name]);

const SHOWN = new Set(["type", "description", "enum", "properties", "required", "additionalProperties", "items"]);

/** All fields of a response format, each followed by the fields inside of it. */
export function rowsOf(format: JsonObject, aliases: Aliases = {}): FieldRow[] {
  if (!isObject(getAt(format, SCHEMA_PATH))) return [];
  const rows: FieldRow[] = [];
  collect(format, SCHEMA_PATH, "", 0, aliases, rows);
  return rows;
}

export function isStrict(format: JsonObject): boolean {
  return getAt(format, ["json_schema", "strict"]) === true;
}

export function propertiesAt(format: JsonObject, parent: Path): JsonObject {
  return objectAt(format, [...parent, "properties"]);
}

export function requiredAt(format: JsonObject, parent: Path): string[] {
  const found = getAt(format, [...parent, "required"]);
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === "string") : [];
}

function collect(
  format: JsonObject,
  parent: Path,
  parentId: string,
  depth: number,
  aliases: Aliases,
  rows: FieldRow[],
): void {
  const properties = propertiesAt(format, parent);
  const required = requiredAt(format, parent);
  const strict = isStrict(format);
  const names = Object.keys(properties);
  const used = new Set<string>();
  names.forEach((name, index) => {
    const schema = isObject(properties[name]) ? properties[name] : {};
    let local = aliases[aliasKey(parentId, name)] ?? name;
    while (used.has(local)) local += "'";
    used.add(local);
    const id = `${parentId}/${local}`;
    const type = typeOf(schema);
    const isGroup = type !== "other" && baseOf(type) === "group";
    const path = [...parent, "properties", name];
    rows.push({
      id,
      path,
      parent,
      parentId,
      name,
      depth,
      index,
      siblings: names.length,
      type,
      required: required.includes(name) && !(strict && isNullable(schema)),
      description: typeof schema.description === "string" ? schema.description : "",
      choices: type === "choice" || type === "choice-list" ? choicesOf(schema) : null,
      isGroup,
      extras: extrasOf(schema, type),
    });
    if (isGroup) collect(format, groupPath(path, schema), id, depth + 1, aliases, rows);
  });
}

/** Where the fields of a group or of a table's rows are. */
export function groupPath(path: Path, schema: JsonObject): Path {
  return coreOf(schema) === schema ? path : [...path, "items"];
}

function extrasOf(schema: JsonObject, type: FieldType): string[] {
  if (type === "other") return Object.keys(schema).filter((key) => key !== "description");
  const core = coreOf(schema);
  const all = [...Object.keys(schema), ...(core === schema ? [] : Object.keys(core))];
  const dates = type.startsWith("date");
  return [...new Set(all)].filter((key) => !SHOWN.has(key) && !(dates && key === "format"));
}
