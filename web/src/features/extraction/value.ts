import { t } from "@/lib/i18n";
import { readDate, readNumber } from "@/lib/written";
import type { Style } from "@/lib/written";

import type { Leaf } from "./tree";

/** A value as it is written where it is one of several to choose from. */
export function optionText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Parsed = { value: unknown } | { error: string };

/** What was typed, as the value that the field holds; an error says what is expected instead. */
export function parsedValue(leaf: Pick<Leaf, "input" | "options" | "nullable">, typed: string, style: Style): Parsed {
  const text = typed.trim();
  if (leaf.input === "boolean") return { value: text === "" ? null : text === "true" };
  if (text === "") return { value: leaf.input === "text" || leaf.input === "long" ? (leaf.nullable ? null : "") : null };
  if (leaf.input === "choice") return { value: leaf.options.find((option) => optionText(option) === typed) ?? typed };
  if (leaf.input === "number" || leaf.input === "integer") return number(text, leaf.input === "integer", style);
  if (leaf.input === "date") return date(text, style);
  return { value: leaf.input === "long" ? typed : text };
}

function number(text: string, isWhole: boolean, style: Style): Parsed {
  const value = readNumber(text, style);
  if (value === null) return { error: t("extraction.textIsNotANumberWrite", { text }) };
  if (isWhole && !Number.isInteger(value)) return { error: t("extraction.textIsNotAWholeNumber", { text }) };
  return { value };
}

function date(text: string, style: Style): Parsed {
  const value = readDate(text, style);
  return value === null ? { error: t("extraction.textIsNotADateWrite", { text }) } : { value };
}
