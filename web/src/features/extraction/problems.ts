import type { Result } from "@/lib/api/results";
import { below, nameOf, stepsOf, valueAt } from "@/lib/fieldPath";
import { quoted, words } from "@/lib/format";

type Problem = Result["problems"][number];

/** What is wrong with each field, in plain words and each thing once; under "" what is wrong with the whole. */
export function problemsByPath(result: Pick<Result, "problems" | "updated_llm_result">): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const problem of result.problems) {
    const path = problem.keyword === "required" ? below(problem.path, String(problem.expected)) : problem.path;
    const value = valueAt(result.updated_llm_result, path);
    const text = plain(problem, value);
    const known = found.get(path) ?? [];
    // That nothing is there is one thing, whatever the schema asks for; its choices say the most about it.
    if (isEmpty(value) && known.length && problem.keyword !== "enum") continue;
    if (!known.includes(text)) found.set(path, isEmpty(value) ? [text] : [...known, text]);
  }
  return found;
}

/** The name of a field as it is shown: `lines.0.unit_price` is "Unit price, row 1 of Lines". */
export function namedPath(path: string): string {
  const steps = stepsOf(path);
  const name = words(nameOf(path));
  const row = steps.findLastIndex((step) => typeof step === "number");
  if (row < 1) return name;
  const list = words(String(steps[row - 1]));
  const number = Number(steps[row]) + 1;
  return row === steps.length - 1 ? `${list} ${number}` : `${name}, row ${number} of ${list}`;
}

const KINDS: Record<string, string> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "a yes or no",
  array: "a list",
  object: "a group of fields",
};

/** How a person would say that a value breaks a keyword. `value` is the value in quotation marks, `expected` the keyword's. */
const WORDINGS: Record<string, (value: string, expected: unknown) => string> = {
  type: (value, kinds) => `${value} is not ${kindsIn(kinds)}.`,
  enum: (value, choices) => `${value} is none of the choices: ${listed(choices)}.`,
  const: (value, other) => `${value} is not ${quoted(listed(other))}, the only value that the schema allows.`,
  pattern: (value) => `${value} is not written in the form that the schema asks for.`,
  format: (value, form) => `${value} is not written as a ${listed(form).replace("-", " and ")}.`,
  minimum: (value, least) => `${value} is below ${listed(least)}, the least that the schema allows.`,
  maximum: (value, greatest) => `${value} is above ${listed(greatest)}, the most that the schema allows.`,
  exclusiveMinimum: (value, least) => `${value} is not above ${listed(least)}.`,
  exclusiveMaximum: (value, greatest) => `${value} is not below ${listed(greatest)}.`,
  multipleOf: (value, step) => `${value} is not a multiple of ${listed(step)}.`,
  minLength: shorter,
  minItems: shorter,
  minProperties: shorter,
  maxLength: (value) => `${value} is longer than the schema allows.`,
  maxItems: (value) => `${value} is longer than the schema allows.`,
  uniqueItems: () => "The list contains duplicates.",
  anyOf: (value) => `${value} fits none of the forms that the schema allows.`,
  oneOf: (value) => `${value} fits none of the forms that the schema allows.`,
  additionalProperties: (_, names) => `The schema has no field ${listed(names)}.`,
  required: () => "Missing, but the schema asks for it.",
};

function plain({ message, keyword, expected }: Problem, value: unknown): string {
  const wording = WORDINGS[keyword ?? ""];
  if (!wording) return message;
  if (isEmpty(value) && keyword === "type") return `Empty, but the schema asks for ${kindsIn(expected)}.`;
  if (isEmpty(value) && keyword === "enum") return `Empty, but the schema asks for one of: ${listed(expected)}.`;
  return wording(isEmpty(value) ? "It" : shown(value), expected);
}

function shorter(value: string, least: unknown): string {
  return least === 1 ? "Empty, but the schema asks for something here." : `${value} is shorter than the schema allows.`;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

function kindsIn(kinds: unknown): string {
  const named = (Array.isArray(kinds) ? kinds.map(String) : []).filter((kind) => kind !== "null");
  return named.map((kind) => KINDS[kind] ?? kind).join(" or ");
}

function listed(expected: unknown): string {
  const all = Array.isArray(expected) ? expected : [expected];
  return all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
}

const LONGEST = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return "The list";
  if (typeof value === "object") return "The group";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return quoted(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
