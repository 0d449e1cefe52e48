import type { SheetCell, SheetColumn } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";
import { readDate, readNumber, USUAL, writtenNumber } from "@/lib/written";

/** How many decimals a column of numbers needs, so that its values line up: 1,910.00 above 1,058.50. */
export function decimalsOf(values: readonly unknown[]): number {
  const needed = values.map((value) => (typeof value === "number" ? (String(value).split(".")[1]?.length ?? 0) : 0));
  const most = Math.max(0, ...needed);
  return most === 1 ? 2 : most;
}

/** A value as a sheet shows it. */
export function shownCell(value: unknown, column: SheetColumn, decimals: number): string {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value)) return isRows(value) ? t("sheets.countRow", { count: value.length }) : value.map(String).join(", ");
  if (typeof value === "boolean") return value ? t("sheets.yes") : t("sheets.no");
  if (typeof value === "number" && column.kind === "number") {
    return writtenNumber(value, USUAL, { decimals, isGrouped: !isYear(value, column) });
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value as it is typed. */
export function typedText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isRows(values: unknown[]): boolean {
  return values.some((value) => typeof value === "object" && value !== null);
}

function isYear(value: number, column: SheetColumn): boolean {
  return /year|jahr|année|año|anno|number|id$/i.test(column.path) && Number.isInteger(value);
}

export function canEdit(column: SheetColumn): boolean {
  return column.kind !== "list";
}

export type Typed = { value: unknown } | { error: string };

/** What was typed, as the value that the column holds. */
export function typedCell(typed: string, column: SheetColumn): Typed {
  const text = typed.trim();
  if (text === "") return { value: null };
  if (column.kind === "number") {
    const value = readNumber(text, USUAL);
    return value === null ? { error: t("sheets.textIsNotANumberWrite", { text }) } : { value };
  }
  if (column.kind === "date") {
    const value = readDate(text, USUAL);
    return value === null ? { error: t("sheets.textIsNotADateWrite", { text }) } : { value };
  }
  return { value: column.kind === "boolean" ? text === "true" : text };
}

const MATCHES: Record<string, string> = {
  get exact() { return t("sheets.printedLetterForLetter"); },
  get normalised() { return t("sheets.printedInAnotherForm"); },
  get fuzzy() { return t("sheets.nearlyTheSameIsPrinted"); },
  get several_candidates() { return t("sheets.printedInSeveralPlaces"); },
  get unproven() { return t("sheets.notFoundInTheDocument"); },
};

/** What is known of a value, in a sentence. */
export function told(cell: SheetCell): string {
  if (cell.problem) return cell.problem;
  if (cell.match === null) return t("common.empty");
  const page = cell.page ? t("sheets.onPagePage", { page: cell.page }) : "";
  const place = `${MATCHES[cell.match] ?? cell.match}${cell.match === "unproven" ? "" : page}.`;
  if (cell.verified) return t("sheets.verifiedByAPersonPlace", { place });
  return cell.edited ? t("sheets.editedByAPersonPlace", { place }) : place;
}
