import { columnOf, nameOf } from "@/lib/fieldPath";
import type { Taken } from "@/lib/pointing";
import { USUAL, printedAs, styleOf, writtenDate, writtenNumber, writtenYesNo } from "@/lib/written";
import type { NumberForm, Style } from "@/lib/written";

import type { Leaf } from "./tree";

/** How the values of one result are written: the habits of the document, and the decimals of each column. */
export interface Writing {
  style: Style;
  columns: ReadonlyMap<string, NumberForm>;
}

export const PLAIN: Writing = { style: USUAL, columns: new Map() };

const MONEY = /amount|total|price|cost|sum|fee|tax|vat|balance|net|gross|discount|payment|deposit|betrag|preis|summe|montant|prix|importe|precio|totale|prezzo|valor/i;
const NO_MONEY = /rate|percent|page|count|number|weight|quantity|qty|hour|day|year|code|id$/i;
const AS_MONEY: NumberForm = { decimals: 2, isGrouped: true };

export function writingOf(leaves: readonly Leaf[]): Writing {
  const found = leaves.filter((leaf) => leaf.known.isFound).map((leaf) => ({ leaf, value: leaf.value, printed: printedWords(leaf) }));
  const columns = new Map<string, NumberForm>();
  for (const { leaf, value, printed } of found) {
    const form = typeof value === "number" ? formIn(value, printed) : null;
    const known = columns.get(columnOf(leaf.path));
    if (form) columns.set(columnOf(leaf.path), known ? { decimals: Math.max(known.decimals, form.decimals), isGrouped: known.isGrouped || form.isGrouped } : form);
  }
  return { style: styleOf(found), columns };
}

/** A value as a person reads it. */
export function shownValue(leaf: Leaf, writing: Writing): string {
  const { value } = leaf;
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return writtenYesNo(value);
  return typedValue(leaf, writing);
}

/** A value as it is typed; read back, it is the same value. */
export function typedValue(leaf: Leaf, writing: Writing): string {
  const { value } = leaf;
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && leaf.input !== "choice") return writtenNumber(value, writing.style, formOf(leaf, value, writing));
  if (typeof value === "string") return leaf.input === "date" ? writtenDate(value, writing.style) : value;
  return JSON.stringify(value);
}

/** What was pointed at, as it is typed; null for what the field's control cannot hold. */
export function writtenTaken(leaf: Leaf, taken: Pick<Taken, "value" | "remark">, writing: Writing): string | null {
  const { value, remark } = taken;
  const isChosen = leaf.input === "choice" || leaf.input === "boolean";
  if (remark !== null) return isChosen ? null : String(value);
  if (isChosen) return typeof value === "string" ? value : JSON.stringify(value);
  return typedValue({ ...leaf, value, known: { ...leaf.known, isFound: false } }, writing);
}

/** As the page prints it; else as its column does; else as money, if its name says so. */
function formOf(leaf: Leaf, value: number, writing: Writing): NumberForm {
  const printed = leaf.known.isFound ? formIn(value, printedWords(leaf)) : null;
  const column = writing.columns.get(columnOf(leaf.path));
  if (printed ?? column) return (printed ?? column) as NumberForm;
  const name = nameOf(leaf.path);
  const isMoney = leaf.input === "number" && MONEY.test(name) && !NO_MONEY.test(name);
  return isMoney ? AS_MONEY : { decimals: 0, isGrouped: false };
}

function formIn(value: number, printed: string): NumberForm | null {
  const meaning = printedAs(value, printed);
  if (!meaning) return null;
  // A number that is too small for groups does not tell whether larger ones have them.
  const isSmall = Math.abs(value) < 1000 && meaning.decimals > 0;
  return { decimals: meaning.decimals, isGrouped: meaning.group !== null || isSmall };
}

export function printedWords(leaf: Pick<Leaf, "grounding">): string {
  return leaf.grounding?.words.map((word) => word.text).join(" ") ?? "";
}
