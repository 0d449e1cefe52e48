import type { Sheet, SheetCell, SheetColumn, SheetRow } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";
import { tallyOf, verdictOf } from "@/lib/known";
import type { Known, Tally } from "@/lib/known";
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

export function knownOf(cell: SheetCell): Known {
  return {
    isFound: cell.match !== null && cell.match !== "unproven",
    chance: cell.confidence,
    isDoubtful: cell.doubtful,
    isChecked: (cell.verified && cell.match !== null) || cell.edited,
    warning: cell.remark ?? cell.problem,
  };
}

/** How many of the values that are shown are sure, to check and checked. */
export function tallyOfRows(rows: readonly SheetRow[]): Tally {
  const cells = rows.flatMap((row) => row.cells);
  return tallyOf(cells.filter((cell) => cell.match !== null || cell.problem !== null).map((cell) => verdictOf(knownOf(cell))));
}

/** What the documents of a sheet come to: "41,220.15 EUR". Nothing where a part is not shown, or currencies are mixed. */
export function sumOf({ columns, rows, total_count }: Pick<Sheet, "columns" | "rows" | "total_count">): string | null {
  if (rows.length !== total_count || rows.some((row) => row.item !== null)) return null;
  const total = columns.findIndex(({ path, kind }) => kind === "number" && /total|gross|amount_due/i.test(path) && !/sub|net|tax|vat/i.test(path));
  if (total < 0) return null;
  const currency = columns.findIndex(({ path }) => /currency/i.test(path));
  const currencies = new Set(rows.map((row) => row.cells[currency]?.value ?? "").map(String));
  const amounts = rows.map((row) => row.cells[total]?.value).filter((value) => typeof value === "number");
  if (currencies.size !== 1 || !amounts.length) return null;
  const cents = amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  return `${writtenNumber(cents / 100, USUAL, { decimals: 2, isGrouped: true })} ${[...currencies].join("")}`.trim();
}

/** What is known of a value, in a sentence. */
export function told(cell: SheetCell): string {
  if (cell.remark ?? cell.problem) return cell.remark ?? cell.problem ?? "";
  if (cell.match === null) return t("common.empty");
  const page = cell.page ? t("sheets.onPagePage", { page: cell.page }) : "";
  const place = `${MATCHES[cell.match] ?? cell.match}${cell.match === "unproven" ? "" : page}.`;
  if (cell.verified) return t("sheets.verifiedByAPersonPlace", { place });
  if (cell.edited) return t("sheets.editedByAPersonPlace", { place });
  return cell.doubtful && cell.confidence !== null ? `${place} ${t("sheets.percentSure", { percent: Math.round(cell.confidence * 100) })}` : place;
}
