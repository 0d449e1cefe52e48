import { asObject } from "@/lib/agent/words";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";
import { isFormat } from "@/lib/schema/edits";

/** A parameter that fits a line of a form. */
export interface FlatField {
  name: string;
  kind: "text" | "number" | "boolean" | "choice";
  choices: string[];
  required: boolean;
}

/** A parameter in the editor that fits it: besides lines, the fields of a schema, and edits of a text. */
export type ArgumentField = FlatField | { name: string; kind: "schema"; required: boolean } | { name: string; kind: "edits"; required: boolean };

export interface ArgumentForm {
  fields: ArgumentField[];
  /** Given, but only to be changed as JSON. */
  rest: string[];
}

/** Ids and versions come last: what one changes are names and texts. */
const IDS = /(^|_)((rev)?ids?|version)$/;
const ID = /^[0-9a-f]{24}$/;

/** The parameters of a tool as a form; null if there is nothing that a form could change, or something it cannot know. */
export function argumentForm(parameters: Record<string, unknown> | undefined, given: Record<string, unknown>): ArgumentForm | null {
  const properties = asObject(parameters?.properties);
  const required = Array.isArray(parameters?.required) ? parameters.required : [];
  const names = Object.keys(properties);
  if (Object.keys(given).some((name) => !names.includes(name))) return null;
  const form: ArgumentForm = { fields: [], rest: [] };
  for (const name of names) {
    const field = fieldOf(name, asObject(properties[name]), given[name], required.includes(name));
    if (field) form.fields.push(field);
    else if (name in given) form.rest.push(name);
    else if (required.includes(name)) return null;
  }
  if (!form.fields.length) return null;
  const isId = ({ name }: ArgumentField): boolean => IDS.test(name) || ID.test(readField(given[name]));
  return { ...form, fields: form.fields.toSorted((one, other) => Number(isId(one)) - Number(isId(other))) };
}

function fieldOf(name: string, schema: Record<string, unknown>, value: unknown, required: boolean): ArgumentField | null {
  if (isFormat(value)) return { name, kind: "schema", required };
  if (name === "edits" && editsOf(value)) return { name, kind: "edits", required };
  const kind = kindOf(schema, value);
  return kind && { name, required, ...kind };
}

/** One edit of a living document: what it does, and the part of it that is text. */
export interface TextEdit {
  does: string;
  /** Where its text stands; null for an edit without one. */
  key: "replace" | "content" | "append" | null;
}

/** The edits of a living document in words; null if one of them is of a kind that is not known here. */
export function editsOf(value: unknown): TextEdit[] | null {
  if (!Array.isArray(value) || !value.length) return null;
  const edits = value.map((item) => editOf(asObject(item)));
  return edits.every((edit) => edit !== null) ? edits : null;
}

function editOf(edit: Record<string, unknown>): TextEdit | null {
  if (typeof edit.find === "string") return { does: edit.every === true ? t("cards.everywhereInsteadOfFind", { find: quoted(edit.find) }) : t("cards.insteadOfFind", { find: quoted(edit.find) }), key: "replace" };
  if (typeof edit.section === "string") return { does: t("cards.theTextBelowSection", { section: quoted(edit.section) }), key: "content" };
  if (typeof edit.append_to_section === "string") return { does: t("cards.atTheEndOfAppendToSection", { appendToSection: quoted(edit.append_to_section) }), key: "content" };
  if (typeof edit.append === "string") return { does: t("cards.atTheEndOfTheDocument"), key: "append" };
  if (typeof edit.remove_section === "string") return { does: t("cards.withoutTheSectionRemoveSection", { removeSection: quoted(edit.remove_section) }), key: null };
  return null;
}

/** The parameters whose value fits a line of a form; those that take anything, lists and objects are left out. */
export function scalarFields(parameters: Record<string, unknown> | undefined): FlatField[] {
  return Object.entries(asObject(parameters?.properties)).flatMap(([name, schema]) => {
    const kind = kindOf(asObject(schema), undefined);
    return kind ? [{ name, required: true, ...kind }] : [];
  });
}

/** The kind of a parameter; one that takes anything has the kind of its value. */
function kindOf(schema: Record<string, unknown>, value: unknown): Pick<FlatField, "kind" | "choices"> | null {
  if (Array.isArray(schema.enum)) return { kind: "choice", choices: schema.enum.map(String) };
  if (schema.type === undefined) return scalar(value);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== "null");
  if (types.length !== 1) return null;
  switch (types[0]) {
    case "string":
      return { kind: "text", choices: [] };
    case "integer":
    case "number":
      return { kind: "number", choices: [] };
    case "boolean":
      return { kind: "boolean", choices: [] };
    default:
      return null;
  }
}

function scalar(value: unknown): Pick<FlatField, "kind" | "choices"> | null {
  switch (typeof value) {
    case "string":
      return { kind: "text", choices: [] };
    case "number":
      return { kind: "number", choices: [] };
    case "boolean":
      return { kind: "boolean", choices: [] };
    default:
      return null;
  }
}

export function readField(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The values with one changed; an optional one that is emptied is left out. */
export function withField(values: Record<string, unknown>, field: FlatField, written: string | boolean): Record<string, unknown> {
  if (written === "" && !field.required) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field.name));
  }
  const number = field.kind === "number" && typeof written === "string" ? Number(written.replace(",", ".")) : NaN;
  return { ...values, [field.name]: Number.isNaN(number) ? written : number };
}
