import { t } from "@/lib/i18n";

/** The parts of Form.io's JSON that are shown here. Everything else is kept as it is. */
export interface Component {
  type: string;
  key?: string;
  label?: string;
  legend?: string;
  title?: string;
  description?: string;
  tooltip?: string;
  placeholder?: string;
  content?: string;
  html?: string;
  defaultValue?: unknown;
  disabled?: boolean;
  hidden?: boolean;
  multiple?: boolean;
  input?: boolean;
  rows?: number | { components?: Component[] }[][];
  validate?: { required?: boolean; min?: number | string; max?: number | string; minLength?: number | string; maxLength?: number | string; pattern?: string };
  values?: Option[];
  data?: { values?: Option[] };
  enableTime?: boolean;
  components?: Component[];
  columns?: { components?: Component[] }[];
}

export interface Option {
  label: string;
  value: string;
}

export type Values = Record<string, unknown>;

const TEXT_LIKE = new Set(["textfield", "email", "phoneNumber", "url", "password", "tags"]);
const KNOWN_FIELDS = new Set([...TEXT_LIKE, "textarea", "number", "currency", "checkbox", "select", "radio", "selectboxes", "datetime", "date", "day", "datagrid", "editgrid"]);
const LAYOUT = new Set(["columns", "panel", "fieldset", "well", "table", "tabs", "content", "htmlelement", "button"]);

export type Shape = "text" | "field" | "layout" | "container" | "grid" | "unknown";

export function shapeOf({ type }: Component): Shape {
  if (type === "container") return "container";
  if (type === "datagrid" || type === "editgrid") return "grid";
  if (TEXT_LIKE.has(type)) return "text";
  if (KNOWN_FIELDS.has(type)) return "field";
  return LAYOUT.has(type) ? "layout" : "unknown";
}

/** The components that stand inside a layout, in order. */
export function inside(component: Component): Component[] {
  const rows = Array.isArray(component.rows) ? component.rows.flat().flatMap((cell) => cell.components ?? []) : [];
  return [...(component.components ?? []), ...(component.columns ?? []).flatMap((column) => column.components ?? []), ...rows];
}

/** Every component that holds a value of the form's own data: layouts are looked into, lists and containers are one value. */
export function inputsOf(components: readonly Component[]): Component[] {
  return components.flatMap((component) => (shapeOf(component) === "layout" ? inputsOf(inside(component)) : component.key ? [component] : []));
}

/** What the form begins with, before anything is known of the document. */
export function defaultsOf(components: readonly Component[]): Values {
  let values: Values = {};
  for (const component of inputsOf(components)) {
    const key = component.key ?? "";
    if (shapeOf(component) === "container") values = withValue(values, key, defaultsOf(component.components ?? []));
    else if (component.defaultValue !== undefined && component.defaultValue !== null) values = withValue(values, key, component.defaultValue);
  }
  return values;
}

export function optionsOf(component: Component): Option[] {
  return component.values ?? component.data?.values ?? [];
}

/** Keys may be paths: `address.city`. */
export function valueAt(values: Values, key: string): unknown {
  return key.split(".").reduce<unknown>((current, step) => (isObject(current) ? current[step] : undefined), values);
}

export function withValue(values: Values, key: string, value: unknown): Values {
  const [step = "", ...rest] = key.split(".");
  if (!rest.length) return { ...values, [step]: value };
  const below = values[step];
  return { ...values, [step]: withValue(isObject(below) ? below : {}, rest.join("."), value) };
}

/** Turns numbers into numbers: while the user types they are text, so that nothing typed is lost. */
export function settled(components: readonly Component[], values: Values): Values {
  let done = values;
  for (const component of inputsOf(components)) {
    const key = component.key ?? "";
    const value = valueAt(done, key);
    if (shapeOf(component) === "container" && isObject(value)) done = withValue(done, key, settled(component.components ?? [], value));
    else if (shapeOf(component) === "grid" && Array.isArray(value)) {
      done = withValue(done, key, value.map((row) => (isObject(row) ? settled(component.components ?? [], row) : (row as unknown))));
    } else if (isNumeric(component) && typeof value === "string" && value.trim() && Number.isFinite(Number(value))) {
      done = withValue(done, key, Number(value));
    }
  }
  return done;
}

function isNumeric({ type }: Component): boolean {
  return type === "number" || type === "currency";
}

/** What keeps the form from being sent, by the key of the component. */
export function mistakesOf(components: readonly Component[], values: Values): Record<string, string> {
  const mistakes: Record<string, string> = {};
  for (const component of inputsOf(components)) {
    const key = component.key ?? "";
    const value = valueAt(values, key);
    if (shapeOf(component) === "container") {
      const inner = mistakesOf(component.components ?? [], isObject(value) ? value : {});
      for (const [name, text] of Object.entries(inner)) mistakes[`${key}.${name}`] = text;
    } else {
      const text = mistakeOf(component, value);
      if (text) mistakes[key] = text;
    }
  }
  return mistakes;
}

function mistakeOf({ validate: rules = {}, type }: Component, value: unknown): string | null {
  const isEmpty = value === undefined || value === null || value === "" || (type === "checkbox" && value === false) || (Array.isArray(value) && !value.length);
  if (isEmpty) return rules.required ? t("forms.thisIsNeeded") : null;
  if (typeof value === "number") {
    if (isSet(rules.min) && value < Number(rules.min)) return t("forms.atLeastMin", { min: rules.min });
    if (isSet(rules.max) && value > Number(rules.max)) return t("forms.atMostMax", { max: rules.max });
  }
  if (typeof value !== "string") return null;
  if (type === "number" || type === "currency") return t("forms.valueIsNotANumberWrite", { value });
  if (isSet(rules.minLength) && value.length < Number(rules.minLength)) return t("forms.atLeastMinLengthCharacters", { minLength: rules.minLength });
  if (isSet(rules.maxLength) && value.length > Number(rules.maxLength)) return t("forms.atMostMaxLengthCharacters", { maxLength: rules.maxLength });
  return rules.pattern && !matches(rules.pattern, value) ? t("forms.thisDoesNotHaveTheForm") : null;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(value);
  } catch {
    return true;
  }
}

function isSet(limit: number | string | undefined): limit is number | string {
  return limit !== undefined && limit !== "";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
