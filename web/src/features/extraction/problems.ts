import type { Result } from "@/lib/api/results";
import { quoted, words } from "@/lib/format";

type Problem = Result["problems"][number];

/** What is wrong with each field, in plain words and each thing once; under "" what is wrong with the whole. */
export function problemsByPath(result: Pick<Result, "problems" | "updated_llm_result">): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const problem of result.problems) {
    const value = valueAt(result.updated_llm_result, problem.path);
    const { path, text } = plain(problem, value);
    const known = found.get(path) ?? [];
    // That nothing is there is one thing, whatever the schema asks for; its choices say the most about it.
    if (isEmpty(value) && known.length && !CHOICES.test(problem.message)) continue;
    if (!known.includes(text)) found.set(path, isEmpty(value) ? [text] : [...known, text]);
  }
  return found;
}

/** The name of a field as it is shown: `lines.0.unit_price` is "Unit price, row 1 of Lines". */
export function namedPath(path: string): string {
  const steps = path.split(".");
  const name = words(steps.findLast((step) => !/^\d+$/.test(step)) ?? path);
  const row = steps.findLastIndex((step) => /^\d+$/.test(step));
  if (row < 1) return name;
  const list = words(steps[row - 1] ?? "");
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

const CHOICES = / is not one of \[(.*)\](?:\.\.\.)?$/;

/** What the schema's check can say, and how a person would say it. `value` is the value in quotation marks. */
const WORDINGS: [RegExp, (value: string, detail: string) => string][] = [
  [/ is not of type (.+)$/, (value, kinds) => `${value} is not ${kindsIn(kinds)}.`],
  [CHOICES, (value, choices) => `${value} is none of the choices: ${unquoted(choices)}.`],
  [/^(.+) was expected$/, (value, other) => `${value} is not ${quoted(unquoted(other))}, the only value that the schema allows.`],
  [/ does not match (.+)$/, (value) => `${value} is not written in the form that the schema asks for.`],
  [/ is not an? '(.+)'$/, (value, form) => `${value} is not written as a ${form.replace("-", " and ")}.`],
  [/ is less than the minimum of (.+)$/, (value, least) => `${value} is below ${least}, the least that the schema allows.`],
  [/ is greater than the maximum of (.+)$/, (value, greatest) => `${value} is above ${greatest}, the most that the schema allows.`],
  [/ is less than or equal to the minimum of (.+)$/, (value, least) => `${value} is not above ${least}.`],
  [/ is greater than or equal to the maximum of (.+)$/, (value, greatest) => `${value} is not below ${greatest}.`],
  [/ is not a multiple of (.+)$/, (value, step) => `${value} is not a multiple of ${step}.`],
  [/ is too short$/, (value) => `${value} is shorter than the schema allows.`],
  [/ is too long$/, (value) => `${value} is longer than the schema allows.`],
  [/ should be non-empty$/, () => "Empty, but the schema asks for something here."],
  [/ has non-unique elements$/, () => "The list contains duplicates."],
  [/ is not valid under any of the given schemas$/, (value) => `${value} fits none of the forms that the schema allows.`],
  [/^Additional properties are not allowed \((.+) (?:was|were) unexpected\)$/, (_, names) => `The schema has no field ${unquoted(names)}.`],
];

function plain({ path, message }: Problem, value: unknown): { path: string; text: string } {
  const missing = /^'(.+)' is a required property$/.exec(message)?.[1];
  if (missing) return { path: path ? `${path}.${missing}` : missing, text: "Missing, but the schema asks for it." };
  for (const [form, wording] of WORDINGS) {
    const match = form.exec(message);
    if (!match) continue;
    const detail = match[1] ?? "";
    if (isEmpty(value) && message.includes(" is not of type ")) return { path, text: `Empty, but the schema asks for ${kindsIn(detail)}.` };
    if (isEmpty(value) && form === CHOICES) return { path, text: `Empty, but the schema asks for one of: ${unquoted(detail)}.` };
    return { path, text: wording(isEmpty(value) ? "It" : shown(value), detail) };
  }
  return { path, text: message };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

function kindsIn(kinds: string): string {
  const named = kinds.split(", ").map(unquoted).filter((kind) => kind !== "null");
  return named.map((kind) => KINDS[kind] ?? kind).join(" or ");
}

function unquoted(text: string): string {
  return text.replace(/(^|, )'|'(?=, |$)/g, "$1");
}

const LONGEST = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return "The list";
  if (typeof value === "object") return "The group";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return quoted(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

function valueAt(data: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, step) => (path && typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[step] : inner), data);
}
