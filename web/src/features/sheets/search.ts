import type { Sorting } from "@/components/Table";
import type { SheetColumn, SheetQuery } from "@/lib/api/sheets";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

export const PAGE_SIZE = 100;
/** The name of the first column, which is no field. */
export const DOCUMENT = "$document";

export interface ColumnFilter {
  field: string;
  operator: string;
  value: string;
}

/** What a sheet shows; kept in the address, so that a reload and a link show the same. */
export interface SheetSearch {
  find: string;
  sorting: Sorting | undefined;
  filters: ColumnFilter[];
  /** The table whose rows become rows of the sheet. */
  unfold: string | null;
  /** From 1. */
  page: number;
}

export function parseSearch(raw: Record<string, unknown>): SheetSearch {
  const sort = text(raw.sort);
  const dot = sort.lastIndexOf(".");
  return {
    find: text(raw.find),
    sorting: dot > 0 ? { field: sort.slice(0, dot), direction: sort.slice(dot + 1) === "desc" ? "desc" : "asc" } : undefined,
    filters: Array.isArray(raw.filters) ? raw.filters.filter(isFilter) : [],
    unfold: text(raw.unfold) || null,
    page: Math.max(1, Math.trunc(Number(raw.page)) || 1),
  };
}

/** The address's parameters; what is as usual is left out. */
export function writeSearch({ find, sorting, filters, unfold, page }: SheetSearch): Record<string, unknown> {
  return {
    find: find || undefined,
    sort: sorting && `${sorting.field}.${sorting.direction}`,
    filters: filters.length ? filters : undefined,
    unfold: unfold ?? undefined,
    page: page > 1 ? page : undefined,
  };
}

/** The same as the parameters of the API. */
export function toQuery({ find, sorting, filters, unfold, page }: SheetSearch): SheetQuery {
  return {
    skip: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    name_search: find || undefined,
    sort: sorting && JSON.stringify([{ field: sorting.field, sort: sorting.direction }]),
    filters: filters.length ? JSON.stringify({ items: filters }) : undefined,
    unfold: unfold ?? undefined,
  };
}

export const NO_VALUE = new Set(["isEmpty", "isNotEmpty"]);

/** How a column can be filtered: what the server is asked, and how a person says it. */
export function operatorsOf(kind: SheetColumn["kind"]): [operator: string, words: string][] {
  const empty: [string, string][] = [
    ["isEmpty", t("sheets.isEmpty")],
    ["isNotEmpty", t("sheets.isNotEmpty")],
  ];
  switch (kind) {
    case "number":
      return [[">=", t("sheets.isAtLeast")], ["<=", t("sheets.isAtMost")], ["=", t("sheets.is")], ["!=", t("sheets.isNot")], ...empty];
    case "date":
      return [["onOrAfter", t("sheets.isOnOrAfter")], ["onOrBefore", t("sheets.isOnOrBefore")], ["is", t("sheets.is")], ...empty];
    case "boolean":
      return [["is", t("sheets.is")], ...empty];
    default:
      return [["contains", t("sheets.contains")], ["doesNotContain", t("sheets.doesNotContain")], ["equals", t("sheets.is")], ["startsWith", t("sheets.beginsWith")], ...empty];
  }
}

/** A filter in words: "total is at least 100". */
export function filterWords(filter: ColumnFilter, columns: readonly SheetColumn[]): string {
  const column = columns.find(({ path }) => path === filter.field);
  const kind = column?.kind ?? "text";
  const how = operatorsOf(kind).find(([operator]) => operator === filter.operator)?.[1] ?? filter.operator;
  const value = NO_VALUE.has(filter.operator) ? "" : kind === "boolean" ? (filter.value === "true" ? t("sheets.yesInWords") : t("sheets.noInWords")) : filter.value;
  return `${filter.field === DOCUMENT ? t("common.document") : (column?.title ?? words(filter.field))} ${how} ${value}`.trim();
}

function isFilter(value: unknown): value is ColumnFilter {
  if (typeof value !== "object" || value === null) return false;
  const { field, operator, value: wanted } = value as Record<string, unknown>;
  return typeof field === "string" && typeof operator === "string" && typeof wanted === "string";
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
