import { t } from "@/lib/i18n";

import { addField, isFormat, moveField, nameProblem, removeField, renameField } from "./edits";
import { rowsOf, aliasKey } from "./fields";
import { pretty, sameJson } from "./json";

import type { Aliases, FieldRow } from "./fields";
import type { JsonObject, Path } from "./json";

/**
 * The schema while it is edited. The text is what is typed; `format` is its last readable state, which the fields show.
 * Names that cannot be kept yet (empty, or used twice) wait in `names`, so neither side ever loses what was typed.
 */
export interface Draft {
  text: string;
  format: JsonObject;
  /** Why the text cannot be read; null when text and fields say the same. */
  problem: string | null;
  names: Readonly<Record<string, string>>;
  aliases: Aliases;
  fresh: number;
  past: readonly string[];
  future: readonly string[];
}

const MOST_STEPS = 200;

export function draftOf(format: JsonObject): Draft {
  return { text: pretty(format), format, problem: null, names: {}, aliases: {}, fresh: 0, past: [], future: [] };
}

/** What was typed into the JSON. */
export function typed(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft;
  const next = { ...draft, text };
  const read = readText(text);
  if ("problem" in read) return { ...next, problem: read.problem };
  const changed = !sameJson(read.format, draft.format);
  return { ...next, ...(changed ? step(draft) : {}), format: read.format, problem: null };
}

export function readText(text: string): { format: JsonObject } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : t("lib.theJsonCannotBeRead") };
  }
  if (isFormat(value)) return { format: value };
  return { problem: t("lib.thisIsJsonButNotA") };
}

/** A change made with the fields; only while text and fields agree. */
export function changed(draft: Draft, format: JsonObject): Draft {
  if (draft.problem !== null || sameJson(format, draft.format)) return draft;
  return { ...draft, ...step(draft), format, text: pretty(format) };
}

/** Goes back to the last state that could be read. */
export function mended(draft: Draft): Draft {
  return { ...draft, text: pretty(draft.format), problem: null };
}

export function undone(draft: Draft): Draft {
  const last = draft.past.at(-1);
  if (last === undefined) return draft;
  const next = restored(draft, last);
  return { ...next, past: draft.past.slice(0, -1), future: [pretty(draft.format), ...draft.future] };
}

export function redone(draft: Draft): Draft {
  const [first, ...rest] = draft.future;
  if (first === undefined) return draft;
  return { ...restored(draft, first), past: [...draft.past, pretty(draft.format)], future: rest };
}

function restored(draft: Draft, text: string): Draft {
  return { ...draft, text, format: JSON.parse(text) as JsonObject, problem: null, names: {} };
}

function step(draft: Draft): Pick<Draft, "past" | "future"> {
  return { past: [...draft.past.slice(-MOST_STEPS), pretty(draft.format)], future: [] };
}

/** Takes a name as it is typed. A name that cannot be kept waits beside the field and is marked as wrong. */
export function named(draft: Draft, row: FieldRow, name: string): Draft {
  if (draft.problem !== null) return draft;
  const names = dropped(draft.names, row.id);
  if (nameProblem(draft.format, row.parent, name, row.name)) return { ...draft, names: { ...names, [row.id]: name } };
  if (name === row.name) return { ...draft, names };
  const local = row.id.slice(row.parentId.length + 1);
  const aliases = { ...dropped(draft.aliases, aliasKey(row.parentId, row.name)), [aliasKey(row.parentId, name)]: local };
  return changed({ ...draft, names, aliases }, renameField(draft.format, row.parent, row.name, name));
}

function dropped<T>(all: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([other]) => other !== key));
}

/** Adds a field and says which row it is. */
export function added(draft: Draft, parent: Path, parentId: string, after?: string): [Draft, string] {
  if (draft.problem !== null) return [draft, ""];
  const { format, name } = addField(draft.format, parent, after);
  const local = `+${draft.fresh}`;
  const aliases = { ...draft.aliases, [aliasKey(parentId, name)]: local };
  return [changed({ ...draft, aliases, fresh: draft.fresh + 1 }, format), `${parentId}/${local}`];
}

export function removed(draft: Draft, row: FieldRow): Draft {
  const names = Object.fromEntries(Object.entries(draft.names).filter(([id]) => id !== row.id && !id.startsWith(`${row.id}/`)));
  return changed({ ...draft, names }, removeField(draft.format, row.parent, row.name));
}

export function moved(draft: Draft, row: FieldRow, to: number): Draft {
  return changed(draft, moveField(draft.format, row.parent, row.name, to));
}

/** Why the draft cannot be saved yet, in a sentence; null when it can. */
export function hindrance(draft: Draft): string | null {
  if (draft.problem !== null) return t("lib.theJsonCannotBeReadYet");
  const rows = rowsOf(draft.format, draft.aliases);
  for (const [id, name] of Object.entries(draft.names)) {
    const row = rows.find((item) => item.id === id);
    const problem = row && nameProblem(draft.format, row.parent, name, row.name);
    if (problem) return problem;
  }
  return null;
}
