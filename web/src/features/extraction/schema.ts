/** The part of JSON Schema that the fields of a result are shown by. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
}

/** What a value is typed into. */
export type InputKind = "text" | "long" | "number" | "integer" | "boolean" | "date" | "choice";

const LONG_TEXT = 60;
const DEEPEST_REFERENCE = 8;

/** The schema itself: references followed, "or null" left away, parts put together. */
export function resolved(schema: JsonSchema | undefined, root: JsonSchema, depth = 0): JsonSchema {
  if (!schema || depth > DEEPEST_REFERENCE) return schema ?? {};
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const target = schema.$ref === "#" ? root : (root.$defs?.[name] ?? root.definitions?.[name]);
    return { ...resolved(target, root, depth + 1), ...own(schema) };
  }
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => resolved(part, root, depth + 1)), own(schema)) as JsonSchema;
  const choices = (schema.anyOf ?? schema.oneOf)?.map((part) => resolved(part, root, depth + 1));
  const real = choices?.filter((part) => part.type !== "null");
  if (real?.length === 1) return { ...real[0], ...own(schema) };
  return schema;
}

function own({ title, description }: JsonSchema): JsonSchema {
  return { ...(title && { title }), ...(description && { description }) };
}

export function typeOf(schema: JsonSchema): string | null {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== "null") ?? null;
  if (schema.type) return schema.type;
  if (schema.properties) return "object";
  return schema.items ? "array" : null;
}

export function isNullable(schema: JsonSchema | undefined): boolean {
  if (!schema) return true;
  if (Array.isArray(schema.type)) return schema.type.includes("null");
  return (schema.anyOf ?? schema.oneOf)?.some((part) => part.type === "null") ?? schema.type === undefined;
}

export function inputFor(schema: JsonSchema, value: unknown): InputKind {
  if (schema.enum?.length) return "choice";
  const type = typeOf(schema) ?? (value === null || value === undefined ? "string" : typeof value);
  if (type === "integer") return "integer";
  if (type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (schema.format === "date") return isDate(value) ? "date" : "text";
  if (schema.type === undefined && value && isDate(value)) return "date";
  return typeof value === "string" && (value.length > LONG_TEXT || value.includes("\n")) ? "long" : "text";
}

/** A value that a date field of the browser can hold; others are kept as text, so that nothing is lost. */
function isDate(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value));
}
