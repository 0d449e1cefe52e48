import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";
import { countFields } from "@/lib/schema/compare";

import { asObject, toolWords } from "./words";

/** Arguments shorter than this are written before one could read that they are. */
const WORTH_TELLING = 80;
const LONGEST_LINE = 100;

/** What the model is writing right now, from the arguments as far as they have come; null if it is not worth a line. */
export function writingWords(name: string, json: string): string | null {
  const given = asObject(readBeginning(json));
  switch (name) {
    case "create_schema":
    case "update_schema":
      return t("turns.writingSchemaNamedCountField", { named: named(given.name), countFields: countFields(given.response_format) });
    case "create_prompt":
    case "update_prompt":
      return t("turns.writingPromptNamedCountWord", { named: named(given.name), countWords: countWords(given.content) });
    case "create_project_document":
      return t("turns.writingDocumentNamedCountLine", { named: named(given.name), countLines: countLines(given.content) });
    case "rewrite_project_document":
      return t("turns.rewritingDocumentNamedCountLine", { named: named(given.document), countLines: countLines(given.content) });
    case "edit_project_document":
      return t("turns.editingDocumentNamedCountChange", { named: named(given.document), value: Array.isArray(given.edits) ? given.edits.length : 0 });
    default:
      return json.length < WORTH_TELLING ? null : t("turns.writingToolWords", { toolWords: toolWords(name).toLowerCase() });
  }
}

function named(name: unknown): string {
  return typeof name === "string" && name ? ` ${quoted(name)}` : "";
}

function countWords(text: unknown): number {
  return typeof text === "string" ? text.split(/\s+/).filter(Boolean).length : 0;
}

function countLines(text: unknown): number {
  return typeof text === "string" && text ? text.split("\n").length : 0;
}

/** The last line of a text that grows; of a long one its end. */
export function lastLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (line.length <= LONGEST_LINE) return line;
  return `… ${line.slice(-LONGEST_LINE).replace(/^\S*\s+/, "")}`;
}

/** JSON whose end has not come yet, as far as it says something; undefined if it says nothing. */
export function readBeginning(text: string): unknown {
  const open: string[] = [];
  let safe = { end: 0, open: "" };
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      safe = { end: at + 1, open: closing(open) };
    } else if (character === "}" || character === "]") open.pop();
    else if (character === ",") safe = { end: at, open: closing(open) };
  }
  const whole = inString ? `${text.replace(/\\(u[\da-f]{0,3})?$/i, "")}"` : text;
  return read(whole + closing(open)) ?? read(text.slice(0, safe.end) + safe.open);
}

function closing(open: readonly string[]): string {
  return open.toReversed().join("");
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
