import { asObject } from "@/lib/agent/words";
import { dotted, stepsOf } from "@/lib/fieldPath";
import type { Step } from "@/lib/fieldPath";
import { t } from "@/lib/i18n";

export interface FieldChange {
  path: string;
  change: "added" | "removed" | "changed" | "same";
  before: unknown;
  after: unknown;
}

export interface FieldLine {
  change: "added" | "removed" | "changed";
  path: string;
  /** "text", "date", or the names of what is inside. */
  words: string;
}

/** The changes of a schema as lines for people. A new list or group is one line together with everything inside it. */
export function fieldLines(changes: readonly FieldChange[]): { lines: FieldLine[]; same: number } {
  const lines: FieldLine[] = [];
  const told = new Set<string>();
  for (const item of changes) {
    if (item.change === "same" || told.has(item.path)) continue;
    const inner = insideOf(item, changes);
    for (const child of inner) told.add(child.path);
    lines.push({ change: item.change, path: shownPath(item, inner), words: lineWords(item, inner) });
  }
  return { lines, same: changes.filter((item) => item.change === "same").length };
}

/** What a check says of a schema: each thing once, with the fields that it is about. */
export function gathered(problems: readonly unknown[]): { message: string; fields: string[] }[] {
  const found = new Map<string, string[]>();
  for (const problem of problems) {
    const { path, message } = asObject(problem);
    const fields = found.get(String(message)) ?? [];
    const field = fieldAt(typeof path === "string" ? path : "");
    found.set(String(message), field && !fields.includes(field) ? [...fields, field] : fields);
  }
  return [...found].map(([message, fields]) => ({ message, fields }));
}

/** The field that a place in a response format belongs to: `json_schema.schema.properties.total.format` is `total`. */
function fieldAt(path: string): string {
  const steps = stepsOf(path);
  const names: string[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    if (steps[at] !== "properties") continue;
    at += 1;
    names.push(String(steps[at] ?? ""));
  }
  return dotted(names);
}

/** The steps that lead on from a field to another inside it; those of a list's items say so with `[]` at the list's name. */
function stepsInside(outer: string, path: string): Step[] | null {
  const [above, steps] = [stepsOf(outer), stepsOf(path)];
  const isInside = steps.length >= above.length && above.every((step, at) => step === steps[at] || (at === above.length - 1 && `${step}[]` === steps[at]));
  return isInside && path !== outer ? steps.slice(above.length) : null;
}

/** Everything below a field that shares its fate. */
function insideOf(item: FieldChange, changes: readonly FieldChange[]): FieldChange[] {
  if (item.change === "changed") return [];
  const inner = changes.filter((other) => stepsInside(item.path, other.path));
  return inner.every((other) => other.change === item.change) ? inner : [];
}

function shownPath(item: FieldChange, inner: readonly FieldChange[]): string {
  const steps = stepsOf(item.path);
  const isList = inner.some((other) => stepsOf(other.path)[steps.length - 1] !== steps.at(-1));
  return `${dotted(steps)}${isList ? "[]" : ""}`;
}

function lineWords(item: FieldChange, inner: readonly FieldChange[]): string {
  if (item.change === "changed") return changeWords(asObject(item.before), asObject(item.after));
  const names = inner.map((other) => dotted(stepsInside(item.path, other.path) ?? [])).filter(Boolean);
  if (names.length) return names.join(", ");
  const element = inner[0];
  const only = asObject(item.change === "removed" ? item.before : item.after);
  return element ? t("cards.listOfTypeWords", { typeWords: typeWords(asObject(element.after ?? element.before)) }) : typeWords(only);
}

function changeWords(before: Record<string, unknown>, after: Record<string, unknown>): string {
  const [old, now] = [typeWords(before), typeWords(after)];
  if (old !== now) return `${old} → ${now}`;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return t("cards.nowOtherDiffer", { now, differ: differ.join(t("common.and")) });
}

const TYPES: Record<string, string> = {
  get string() { return t("cards.text"); },
  get number() { return t("cards.number"); },
  get integer() { return t("cards.wholeNumber"); },
  get boolean() { return t("cards.yesOrNo"); },
  get array() { return t("cards.list"); },
  get object() { return t("cards.group"); },
};

/** A JSON schema's type as people say it. */
export function typeWords(schema: Record<string, unknown>): string {
  if (Array.isArray(schema.enum)) return t("cards.oneOfEnum", { enum: schema.enum.map(String).join(", ") });
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeWords(asObject(one))).join(t("common.or"));
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => typeof one === "string");
  const format = typeof schema.format === "string" ? schema.format.replace("-", t("common.and")) : null;
  const named = types.map((one) => (one === "string" && format ? format : one === "null" ? t("cards.nothing") : (TYPES[one] ?? one)));
  return named.join(t("common.or")) || t("cards.anything");
}
