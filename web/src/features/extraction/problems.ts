import type { Result } from "@/lib/api/results";
import { below, nameOf, stepsOf, valueAt } from "@/lib/fieldPath";
import { quoted, words } from "@/lib/format";
import { t } from "@/lib/i18n";

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
  return row === steps.length - 1 ? `${list} ${number}` : t("extraction.nameRowNumberOfList", { name, number, list });
}

const KINDS: Record<string, string> = {
  get string() { return t("extraction.aText"); },
  get number() { return t("extraction.aNumber"); },
  get integer() { return t("extraction.aWholeNumber"); },
  get boolean() { return t("extraction.aYesOrNo"); },
  get array() { return t("extraction.aList"); },
  get object() { return t("extraction.aGroupOfFields"); },
};

/** How a person would say that a value breaks a keyword. `value` is the value in quotation marks, `expected` the keyword's. */
const WORDINGS: Record<string, (value: string, expected: unknown) => string> = {
  type: (value, kinds) => t("extraction.valueIsNotKindsIn", { value, kindsIn: kindsIn(kinds) }),
  enum: (value, choices) => t("extraction.valueIsNoneOfTheChoices", { value, choices: listed(choices) }),
  const: (value, other) => t("extraction.valueIsNotOtherTheOnly", { value, other: quoted(listed(other)) }),
  pattern: (value) => t("extraction.valueIsNotWrittenInThe", { value }),
  format: (value, form) => t("extraction.valueIsNotWrittenAsA", { value, form: listed(form).replace("-", t("common.and")) }),
  minimum: (value, least) => t("extraction.valueIsBelowLeastTheLeast", { value, least: listed(least) }),
  maximum: (value, greatest) => t("extraction.valueIsAboveGreatestTheMost", { value, greatest: listed(greatest) }),
  exclusiveMinimum: (value, least) => t("extraction.valueIsNotAboveLeast", { value, least: listed(least) }),
  exclusiveMaximum: (value, greatest) => t("extraction.valueIsNotBelowGreatest", { value, greatest: listed(greatest) }),
  multipleOf: (value, step) => t("extraction.valueIsNotAMultipleOf", { value, step: listed(step) }),
  minLength: shorter,
  minItems: shorter,
  minProperties: shorter,
  maxLength: (value) => t("extraction.valueIsLongerThanTheSchema", { value }),
  maxItems: (value) => t("extraction.valueIsLongerThanTheSchema", { value }),
  uniqueItems: () => t("extraction.theListContainsDuplicates"),
  anyOf: (value) => t("extraction.valueFitsNoneOfTheForms", { value }),
  oneOf: (value) => t("extraction.valueFitsNoneOfTheForms", { value }),
  additionalProperties: (_, names) => t("extraction.theSchemaHasNoFieldNames", { names: listed(names) }),
  required: () => t("extraction.missingButTheSchemaAsksFor"),
  sum: (value, expected) => {
    const { rows, computed } = expected as { rows: string; computed: string };
    return t("extraction.theRowsOfRowsAddUpTo", { rows: namedPath(rows), computed, value });
  },
};

function plain({ message, keyword, expected }: Problem, value: unknown): string {
  const wording = WORDINGS[keyword ?? ""];
  if (!wording) return message;
  if (isEmpty(value) && keyword === "type") return t("extraction.emptyButTheSchemaAsksFor", { kindsIn: kindsIn(expected) });
  if (isEmpty(value) && keyword === "enum") return t("extraction.emptyButTheSchemaAsksForOne", { expected: listed(expected) });
  return wording(isEmpty(value) ? t("extraction.it") : shown(value), expected);
}

function shorter(value: string, least: unknown): string {
  return least === 1 ? t("extraction.emptyButTheSchemaAsksForSomething") : t("extraction.valueIsShorterThanTheSchema", { value });
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

function kindsIn(kinds: unknown): string {
  const named = (Array.isArray(kinds) ? kinds.map(String) : []).filter((kind) => kind !== "null");
  return named.map((kind) => KINDS[kind] ?? kind).join(t("common.or"));
}

function listed(expected: unknown): string {
  const all = Array.isArray(expected) ? expected : [expected];
  return all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
}

const LONGEST = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return t("extraction.theList");
  if (typeof value === "object") return t("extraction.theGroup");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return quoted(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
