import type { Leaf } from "./tree";

/** A value as a person reads it. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  return typeof value === "boolean" ? (value ? "Yes" : "No") : typedValue(value);
}

/** A value as it is typed. */
export function typedValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Parsed = { value: unknown } | { error: string };

/** What was typed, as the value that the field holds; an error says what is expected instead. */
export function parsedValue(leaf: Pick<Leaf, "input" | "options" | "nullable">, typed: string): Parsed {
  const text = typed.trim();
  if (leaf.input === "boolean") return { value: text === "" ? null : text === "true" };
  if (text === "") return { value: leaf.input === "text" || leaf.input === "long" ? (leaf.nullable ? null : "") : null };
  if (leaf.input === "choice") return { value: leaf.options.find((option) => typedValue(option) === typed) ?? typed };
  if (leaf.input === "number" || leaf.input === "integer") return number(text, leaf.input === "integer");
  return { value: leaf.input === "long" ? typed : text };
}

function number(text: string, isWhole: boolean): Parsed {
  const value = Number(text.replace(/[\s_\u00a0]/g, ""));
  if (!Number.isFinite(value)) return { error: `“${text}” is not a number. Write it like 1234.56.` };
  if (isWhole && !Number.isInteger(value)) return { error: `“${text}” is not a whole number.` };
  return { value };
}
