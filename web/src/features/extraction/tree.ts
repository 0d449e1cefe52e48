import type { Result } from "@/lib/api/results";
import { isWithin, pathOf, valueAt } from "@/lib/fieldPath";
import type { Step } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import type { Target } from "@/lib/places";

import { groundingAt, isLocated, spotsOf } from "./grounding";
import { problemsByPath } from "./problems";
import { inputFor, isNullable, resolved, typeOf } from "./schema";

import type { Grounding } from "./grounding";
import type { InputKind, JsonSchema } from "./schema";

export type Mark = "empty" | "written" | "proven" | "unproven" | "edited" | "verified";

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
  isLocated: boolean;
  isEdited: boolean;
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
}

/** The fields of a result in the order of its schema; what the data holds beyond the schema follows. */
export function fieldsOf(result: Result): Node[] {
  const root = (result.json_schema ?? {}) as JsonSchema;
  const source = { result, root, problems: problemsByPath(result) };
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
  // The summary is the model's own text: there are no words on the pages that could prove it.
  const isWritten = result.prompt_revid === "default" && named.path === "summary";
  const grounding = isWritten ? null : groundingAt(result.grounding, named.path);
  const located = isLocated(grounding);
  const isEdited = result.is_edited && !same(value, valueAt(result.llm_result, named.path));
  const isVerified = result.is_verified || result.verified_paths.some((path) => isWithin(named.path, path));
  const isEmpty = value === null || value === undefined || value === "";
  const plain: Mark = isEmpty ? "empty" : isWritten ? "written" : located ? "proven" : "unproven";
  return {
    ...named,
    kind: "value",
    value: value ?? null,
    input: inputFor(schema, value),
    options: schema.enum?.filter((option) => option !== null) ?? [],
    nullable: isNullable(raw),
    mark: isVerified ? "verified" : isEdited ? "edited" : plain,
    isLocated: located,
    isEdited,
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

function isSettled(leaf: Leaf): boolean {
  return leaf.mark === "verified" || ((leaf.isLocated || leaf.mark !== "unproven") && !leaf.problems.length);
}

/** How many of the values that are there are settled: a person's word, or found in the document and without a problem. */
export function settledCount(leaves: readonly Leaf[]): { proven: number; settled: number; of: number } {
  const filled = leaves.filter((leaf) => leaf.grounding !== null);
  const proven = filled.filter((leaf) => leaf.isLocated).length;
  return { proven, settled: filled.filter(isSettled).length, of: filled.length };
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
