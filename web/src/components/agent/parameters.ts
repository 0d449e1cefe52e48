import { asObject } from "@/lib/agent/words";

export interface FlatField {
  name: string;
  kind: "text" | "number" | "boolean" | "choice";
  choices: string[];
  required: boolean;
}

/**
 * The parameters of a tool as form fields; null if one that is given or required does not fit a line of a form. A list
 * or an object that is optional and not given is left to JSON.
 */
export function flatFields(parameters: Record<string, unknown> | undefined, given: Record<string, unknown>): FlatField[] | null {
  const properties = asObject(parameters?.properties);
  const required = Array.isArray(parameters?.required) ? parameters.required : [];
  const names = Object.keys(properties);
  if (!names.length || Object.keys(given).some((name) => !names.includes(name))) return null;
  const fields: FlatField[] = [];
  for (const name of names) {
    const kind = kindOf(asObject(properties[name]), given[name]);
    const isNeeded = required.includes(name);
    if (kind) fields.push({ name, required: isNeeded, ...kind });
    else if (isNeeded || name in given) return null;
  }
  return fields.length ? fields : null;
}

/** The parameters whose value fits a line of a form; those that take anything, lists and objects are left out. */
export function scalarFields(parameters: Record<string, unknown> | undefined): FlatField[] {
  return Object.entries(asObject(parameters?.properties)).flatMap(([name, schema]) => {
    const kind = kindOf(asObject(schema), undefined);
    return kind ? [{ name, required: true, ...kind }] : [];
  });
}

/** The kind of a parameter; one that takes anything has the kind of its value. */
function kindOf(schema: Record<string, unknown>, value: unknown): Pick<FlatField, "kind" | "choices"> | null {
  if (Array.isArray(schema.enum)) return { kind: "choice", choices: schema.enum.map(String) };
  if (schema.type === undefined) return scalar(value);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== "null");
  if (types.length !== 1) return null;
  switch (types[0]) {
    case "string":
      return { kind: "text", choices: [] };
    case "integer":
    case "number":
      return { kind: "number", choices: [] };
    case "boolean":
      return { kind: "boolean", choices: [] };
    default:
      return null;
  }
}

function scalar(value: unknown): Pick<FlatField, "kind" | "choices"> | null {
  switch (typeof value) {
    case "string":
      return { kind: "text", choices: [] };
    case "number":
      return { kind: "number", choices: [] };
    case "boolean":
      return { kind: "boolean", choices: [] };
    default:
      return null;
  }
}

export function readField(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The values with one changed; an optional one that is emptied is left out. */
export function withField(values: Record<string, unknown>, field: FlatField, written: string | boolean): Record<string, unknown> {
  if (written === "" && !field.required) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field.name));
  }
  const number = field.kind === "number" && typeof written === "string" ? Number(written.replace(",", ".")) : NaN;
  return { ...values, [field.name]: Number.isNaN(number) ? written : number };
}
