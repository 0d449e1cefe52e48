import { pathOf } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { without } from "@/lib/schema/json";

import { isObject } from "./formio";

import type { Component, Option } from "./formio";
import type { FieldMapping } from "./prefill";
import type { FormFormat } from "./useForms";

/** Places of components in lists inside each other, from the form down. */
export type Path = readonly number[];

/** One component as a row of the builder. */
export interface Row {
  id: string;
  parentId: string;
  path: Path;
  index: number;
  siblings: number;
  depth: number;
  name: string;
  component: Component;
  /** Fields can be added inside of it. */
  isGroup: boolean;
  /** Columns or cells that only the JSON shows. */
  hasMore: boolean;
}

/** The kinds that the builder offers, in the words of people. */
export const KINDS: Readonly<Record<string, string>> = {
  get textfield() { return t("common.text"); },
  get textarea() { return t("forms.longText"); },
  get number() { return t("common.number"); },
  get currency() { return t("forms.amountOfMoney"); },
  get datetime() { return t("common.date"); },
  get checkbox() { return t("common.yesOrNo"); },
  get select() { return t("forms.oneOfSeveral"); },
  get radio() { return t("forms.oneOfSeveralAllShown"); },
  get selectboxes() { return t("forms.someOfSeveral"); },
  get email() { return t("forms.eMailAddress"); },
  get datagrid() { return t("common.table"); },
  get fieldset() { return t("forms.group"); },
};

const GROUPS = new Set(["datagrid", "editgrid", "container", "panel", "fieldset", "well"]);
const CHOOSES = new Set(["select", "radio", "selectboxes"]);

export const choosesOf = ({ type }: Component): boolean => CHOOSES.has(type);

export function componentsIn(format: FormFormat): Component[] {
  return (format.json_formio ?? []) as unknown as Component[];
}

export function mappingIn(format: FormFormat): Record<string, FieldMapping> {
  return (format.json_formio_mapping ?? {}) as unknown as Record<string, FieldMapping>;
}

function formatOf(components: readonly Component[], mapping: Record<string, FieldMapping>): FormFormat {
  return { json_formio: components, json_formio_mapping: mapping } as unknown as FormFormat;
}

export function rowsOf(format: FormFormat): Row[] {
  return rowsIn(componentsIn(format), []);
}

function rowsIn(components: readonly Component[], parent: Path): Row[] {
  return components.flatMap((component, index) => {
    const path = [...parent, index];
    const isGroup = GROUPS.has(component.type);
    const row: Row = {
      id: pathOf(path),
      parentId: pathOf(parent),
      path,
      index,
      siblings: components.length,
      depth: parent.length,
      name: component.label ?? component.legend ?? component.title ?? words(component.key ?? component.type),
      component,
      isGroup,
      hasMore: Array.isArray(component.columns) || Array.isArray(component.rows),
    };
    return [row, ...(isGroup ? rowsIn(component.components ?? [], path) : [])];
  });
}

/** The list at a place, changed. */
function changeList(components: readonly Component[], parent: Path, change: (list: readonly Component[]) => Component[]): Component[] {
  const [first, ...rest] = parent;
  if (first === undefined) return change(components);
  return components.map((component, index) =>
    index === first ? { ...component, components: changeList(component.components ?? [], rest, change) } : component,
  );
}

function withList(format: FormFormat, parent: Path, change: (list: readonly Component[]) => Component[]): FormFormat {
  return formatOf(changeList(componentsIn(format), parent, change), mappingIn(format));
}

function placeOf(path: Path): { parent: Path; index: number } {
  return { parent: path.slice(0, -1), index: path.at(-1) ?? 0 };
}

/** A component at a place in a list; beyond its end, at the end. */
export function inserted(format: FormFormat, parent: Path, at: number, component: Component, mapping?: FieldMapping): FormFormat {
  const key = freeKey(format, component.key ?? keyFrom(component.label ?? component.type));
  const next = withList(format, parent, (list) => list.toSpliced(at, 0, { ...component, key }));
  return mapping ? formatOf(componentsIn(next), { ...mappingIn(next), [key]: mapping }) : next;
}

export function removed(format: FormFormat, { path, component }: Row): FormFormat {
  const { parent, index } = placeOf(path);
  const next = withList(format, parent, (list) => list.toSpliced(index, 1));
  const gone = new Set([component.key, ...rowsIn(component.components ?? [], []).map((row) => row.component.key)]);
  const kept = Object.entries(mappingIn(next)).filter(([key]) => !gone.has(key));
  return formatOf(componentsIn(next), Object.fromEntries(kept));
}

export function moved(format: FormFormat, { path, component }: Row, to: number): FormFormat {
  const { parent, index } = placeOf(path);
  return withList(format, parent, (list) => list.toSpliced(index, 1).toSpliced(to, 0, component));
}

export function changed(format: FormFormat, { path }: Row, change: Partial<Component>): FormFormat {
  const { parent, index } = placeOf(path);
  return withList(format, parent, (list) => list.map((one, number) => (number === index ? { ...one, ...change } : one)));
}

/** Another label. A key that was made from the label goes along, and so does what fills the field. */
export function labelled(format: FormFormat, row: Row, label: string): FormFormat {
  const next = changed(format, row, row.component.type === "fieldset" ? { label, legend: label } : { label });
  const { key } = row.component;
  if (key === undefined || key !== keyFrom(row.component.label ?? "")) return next;
  return rekeyed(next, row, freeKey(next, keyFrom(label), key));
}

/** Another key, under which the field is filled and stored. */
export function rekeyed(format: FormFormat, row: Row, key: string): FormFormat {
  const next = changed(format, row, { key });
  const mapping = Object.entries(mappingIn(next)).map(([name, one]) => [name === row.component.key ? key : name, one] as const);
  return formatOf(componentsIn(next), Object.fromEntries(mapping));
}

/** Another kind. Choices and rules stay as far as the new kind knows them. */
export function retyped(format: FormFormat, row: Row, type: string): FormFormat {
  const options = optionsIn(row.component);
  const { components } = row.component;
  const kept = without({ ...row.component }, "values", "data", "enableTime", "components");
  const next: Component = { ...kept, ...blank(type), label: row.component.label };
  const full = CHOOSES.has(type) && options.length ? withOptions(next, options.map((option) => option.label)) : next;
  const { parent, index } = placeOf(row.path);
  const grouped = GROUPS.has(type) ? { ...full, components: components ?? [] } : full;
  return withList(format, parent, (list) => list.with(index, grouped));
}

export function setRequired(format: FormFormat, row: Row, required: boolean): FormFormat {
  return changed(format, row, { validate: { ...row.component.validate, required } });
}

export function setOptions(format: FormFormat, row: Row, labels: string[]): FormFormat {
  return changed(format, row, withOptions(row.component, labels));
}

/** No longer filled from the extraction. */
export function unfilled(format: FormFormat, { component }: Row): FormFormat {
  const others = Object.entries(mappingIn(format)).filter(([key]) => key !== component.key);
  return formatOf(componentsIn(format), Object.fromEntries(others));
}

/** An empty component of a kind. */
export function blank(type: string): Component {
  const made: Component = { type, input: type !== "fieldset" };
  if (type === "datetime") return { ...made, enableTime: false };
  if (GROUPS.has(type)) return { ...made, components: [] };
  return CHOOSES.has(type) ? withOptions(made, [t("forms.first"), t("forms.second")]) : made;
}

/** Form.io keeps the choices of a select in `data.values`, and those of the others in `values`. */
export function withOptions(component: Component, labels: readonly string[]): Component {
  const known = new Map(optionsIn(component).map((option) => [option.label, option]));
  const values = labels.map((label) => known.get(label) ?? { label, value: label });
  return component.type === "select" ? { ...component, data: { ...component.data, values } } : { ...component, values };
}

export function optionsIn(component: Component): Option[] {
  return component.values ?? component.data?.values ?? [];
}

/** "Invoice number" as `invoice_number`. */
export function keyFrom(label: string): string {
  return label
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}

/** Why a component cannot have this key; null when it can. */
export function keyProblem(format: FormFormat, row: Row): string | null {
  const { key } = row.component;
  if (!key) return row.component.input === false ? null : t("forms.aFieldNeedsAKeyUnder");
  const isTwice = rowsOf(format).some((other) => other.id !== row.id && other.parentId === row.parentId && other.component.key === key);
  return isTwice ? t("forms.thereIsAFieldWithThe", { key }) : null;
}

function freeKey(format: FormFormat, wanted: string, own?: string): string {
  const taken = new Set(rowsOf(format).flatMap(({ component }) => (isObject(component) && component.key && component.key !== own ? [component.key] : [])));
  const base = wanted || "field";
  let key = base;
  for (let number = 2; taken.has(key); number += 1) key = `${base}_${number}`;
  return key;
}
