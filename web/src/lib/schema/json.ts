export type Json = unknown;
export type JsonObject = Record<string, unknown>;
/** Keys from the root of a schema down to a part of it. */
export type Path = readonly string[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value);
}

export function objectAt(value: unknown, path: Path): JsonObject {
  const found = getAt(value, path);
  return isObject(found) ? found : {};
}

/** The same value with one part changed. Everything that is not on the path stays the very same object. */
export function changeAt(value: JsonObject, path: Path, change: (part: JsonObject) => JsonObject): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const part = value[key];
  return { ...value, [key]: changeAt(isObject(part) ? part : {}, rest, change) };
}

/** The object without some keys. */
export function without(value: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** One key under another name, in its place. */
export function renamed(value: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key === from ? to : key, item]));
}

export function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}

export function sameJson(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The schema itself, inside the form in which providers take it. */
export function schemaIn(format: unknown): JsonObject {
  return objectAt(format, ["json_schema", "schema"]);
}
