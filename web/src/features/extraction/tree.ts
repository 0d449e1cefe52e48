import type { Result } from "@/lib/api/results";
import { isWithin, pathOf, valueAt } from "@/lib/fieldPath";
import type { Step } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { tallyOf, USUAL_THRESHOLD, verdictOf } from "@/lib/known";
import type { Known, Tally, Verdict } from "@/lib/known";
import type { Target } from "@/lib/places";

import { chanceOf, groundingAt, isLocated, spotsOf } from "./grounding";
import { problemsByPath } from "./problems";
import { inputFor, isNullable, resolved, typeOf } from "./schema";

import type { Grounding } from "./grounding";
import type { InputKind, JsonSchema } from "./schema";

/** What there is to say of a value: nothing of one that is empty or in the model's own words, else a verdict. */
export type Mark = "empty" | "written" | Verdict;

const OWN_WORDS: ReadonlySet<string> = new Set(["summary", "document_type"]);

interface Named {
  path: string;
  label: string;
  description?: string;
  problems: string[];
}

/** One value. */
export interface Leaf extends Named {
  kind: "value";
  value: unknown;
  input: InputKind;
  options: unknown[];
  nullable: boolean;
  mark: Mark;
  known: Known;
  isVerified: boolean;
  grounding: Grounding | null;
}

/** An object: its fields below its name. */
export interface Group extends Named {
  kind: "group";
  children: Node[];
}

/** A list of objects whose fields are all single values. */
export interface Table extends Named {
  kind: "table";
  columns: { name: string; label: string; description?: string }[];
  rows: Leaf[][];
}

/** A list of anything else. */
export interface List extends Named {
  kind: "list";
  items: Node[];
  /** The items are single values. */
  isPlain: boolean;
}

export type Node = Leaf | Group | Table | List;

interface Source {
  result: Result;
  root: JsonSchema;
  problems: ReadonlyMap<string, string[]>;
  threshold: number;
}

/**
 * The fields of a result in the order of its schema; what the data holds beyond the schema follows. Values that are less
 * sure than the threshold are to be checked.
 */
export function fieldsOf(result: Result, threshold: number = USUAL_THRESHOLD): Node[] {
  const root = (result.json_schema ?? {}) as JsonSchema;
  const source = { result, root, problems: problemsByPath(result), threshold };
  return childrenOf(source, resolved(root, root), result.updated_llm_result, []);
}

function childrenOf(source: Source, schema: JsonSchema, data: unknown, steps: Step[]): Node[] {
  const values = isObject(data) ? data : {};
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(values)])];
  return names.map((name) => nodeOf(source, schema.properties?.[name], values[name], [...steps, name]));
}

function nodeOf(source: Source, raw: JsonSchema | undefined, value: unknown, steps: Step[], label?: string): Node {
  const schema = resolved(raw, source.root);
  const type = typeOf(schema);
  const name = String(steps.at(-1) ?? "");
  const path = pathOf(steps);
  const named = {
    path,
    label: label ?? schema.title ?? words(name),
    description: schema.description,
    problems: source.problems.get(path) ?? [],
  };
  if (Array.isArray(value) || (type === "array" && !value)) return listOf(source, schema, (value ?? []) as unknown[], steps, named);
  if (isObject(value) || (type === "object" && !value)) {
    return { ...named, kind: "group", children: childrenOf(source, schema, value, steps) };
  }
  return leafOf(source, raw, schema, value, named);
}

function listOf(source: Source, schema: JsonSchema, items: unknown[], steps: Step[], named: Named): Table | List {
  const item = resolved(schema.items, source.root);
  const isRow = (value: unknown): boolean => isObject(value) && Object.values(value).every((cell) => typeof cell !== "object" || cell === null);
  const hasPlainFields = Object.values(item.properties ?? {}).every((field) => {
    const type = typeOf(resolved(field, source.root));
    return type !== "object" && type !== "array";
  });
  const isOfObjects = items.length ? items.every(isObject) : typeOf(item) === "object";
  if (isOfObjects && hasPlainFields && items.every(isRow)) {
    const names = [...new Set([...Object.keys(item.properties ?? {}), ...items.flatMap((row) => Object.keys(row as object))])];
    const columns = names.map((name) => {
      const field = resolved(item.properties?.[name], source.root);
      return { name, label: field.title ?? words(name), description: field.description };
    });
    const rows = items.map((row, index) =>
      names.map((name, column) => {
        const label = t("extraction.labelRowIndex", { label: columns[column]?.label ?? name, index: index + 1 });
        const value = (row as Record<string, unknown>)[name];
        return nodeOf(source, item.properties?.[name] ?? {}, value ?? null, [...steps, index, name], label) as Leaf;
      }),
    );
    return { ...named, kind: "table", columns, rows };
  }
  const nodes = items.map((value, index) => nodeOf(source, schema.items, value, [...steps, index], `${named.label} ${index + 1}`));
  return { ...named, kind: "list", items: nodes, isPlain: nodes.every((node) => node.kind === "value") && !isOfObjects };
}

function leafOf(source: Source, raw: JsonSchema | undefined, schema: JsonSchema, value: unknown, named: Named): Leaf {
  const { result } = source;
  const found = groundingAt(result.grounding, named.path);
  // In the model's own words: nobody expects these on a page, and the type is lit where it happens to be printed.
  const isWritten = result.prompt_revid === "default" && OWN_WORDS.has(named.path) && !isLocated(found);
  const grounding = isWritten ? null : found;
  const isEdited = result.is_edited && !same(value, valueAt(result.llm_result, named.path));
  const isVerified = result.is_verified || result.verified_paths.some((path) => isWithin(named.path, path));
  const isEmpty = value === null || value === undefined || value === "";
  const problems = isVerified ? [] : named.problems;
  const chance = chanceOf(grounding);
  const known: Known = {
    isFound: isLocated(grounding),
    chance,
    isDoubtful: chance !== null && chance < source.threshold,
    isChecked: isVerified || isEdited,
    warning: problems[0] ?? null,
  };
  const isBare = (isEmpty || isWritten) && !known.isChecked && known.warning === null;
  return {
    ...named,
    problems,
    kind: "value",
    value: value ?? null,
    input: inputFor(schema, value),
    options: schema.enum?.filter((option) => option !== null) ?? [],
    nullable: isNullable(raw),
    mark: isBare ? (isEmpty ? "empty" : "written") : verdictOf(known),
    known,
    isVerified,
    grounding,
  };
}

/** Every value in the order in which it is shown. */
export function leavesOf(nodes: readonly Node[]): Leaf[] {
  return nodes.flatMap((node) => {
    if (node.kind === "value") return [node];
    if (node.kind === "group") return leavesOf(node.children);
    return node.kind === "table" ? node.rows.flat() : leavesOf(node.items);
  });
}

/** How many values are sure, to check and checked. One that is missing though the schema asks for it is to check. */
export function tallied(leaves: readonly Leaf[]): Tally {
  const counted = leaves.filter((leaf) => leaf.grounding !== null || leaf.known.warning !== null);
  return tallyOf(counted.map((leaf) => verdictOf(leaf.known)));
}

/** A value of a result, named across all results of the document. */
export interface FieldRef {
  promptRevid: string;
  path: string;
}

export function fieldId({ promptRevid, path }: FieldRef): string {
  return `${promptRevid}/${path}`;
}

/** The words of all values, so that a word leads back to its field. */
export function targetsOf(results: readonly Result[]): Target[] {
  return results.flatMap((result) =>
    leavesOf(fieldsOf(result)).flatMap((leaf) => {
      const id = fieldId({ promptRevid: result.prompt_revid, path: leaf.path });
      return spotsOf(leaf.grounding).map((spot) => ({ ...spot, id }));
    }),
  );
}

export function fieldOfId(id: string): FieldRef {
  const slash = id.indexOf("/");
  return { promptRevid: id.slice(0, slash), path: id.slice(slash + 1) };
}

function same(one: unknown, other: unknown): boolean {
  return (one ?? null) === (other ?? null);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
