
import type { Sorting } from "@/components/Table";
import type { DocumentState } from "@/lib/documentState";
import { t } from "@/lib/i18n";

export const PAGE_SIZE = 25;

interface StateGroup {
  label: string;
  states: DocumentState[];
  /** What has been made of the document, where the state alone does not tell. */
  results?: "none" | "summary" | "extraction";
}

const DONE: DocumentState[] = ["ocr_completed", "llm_completed"];

export const STATE_GROUPS: Record<string, StateGroup> = {
  "under-way": { get label() { return t("documents.underWay"); }, states: ["uploaded", "ocr_processing", "llm_processing"] },
  read: { get label() { return t("documents.readOnly"); }, states: DONE, results: "none" },
  summarised: { get label() { return t("common.summarised"); }, states: DONE, results: "summary" },
  extracted: { get label() { return t("documents.extractedAlsoToReview"); }, states: DONE, results: "extraction" },
  failed: { get label() { return t("documents.failed"); }, states: ["ocr_failed", "llm_failed"] },
};

const SORTABLE = ["document_name", "state", "upload_date", "uploaded_by"];
const NEWEST_FIRST: Sorting = { field: "upload_date", direction: "desc" };

/** What the list shows; kept in the address, so that a reload and a link show the same. */
export interface ListSearch {
  find: string;
  tags: string[];
  state: string | null;
  sorting: Sorting;
  page: number;
}

export function parseSearch(raw: Record<string, unknown>): ListSearch {
  const [field = "", direction] = text(raw.sort).split(".");
  const state = text(raw.state);
  return {
    find: text(raw.find),
    tags: text(raw.tags).split(",").filter(Boolean),
    state: state in STATE_GROUPS ? state : null,
    sorting: SORTABLE.includes(field) ? { field, direction: direction === "desc" ? "desc" : "asc" } : NEWEST_FIRST,
    page: Math.max(1, Math.trunc(Number(raw.page)) || 1),
  };
}

/** The address's parameters; what is as usual is left out. */
export function writeSearch(search: ListSearch): Record<string, string | number | undefined> {
  const { field, direction } = search.sorting;
  const isUsual = field === NEWEST_FIRST.field && direction === NEWEST_FIRST.direction;
  return {
    find: search.find || undefined,
    tags: search.tags.join(",") || undefined,
    state: search.state ?? undefined,
    sort: isUsual ? undefined : `${field}.${direction}`,
    page: search.page > 1 ? search.page : undefined,
  };
}

export function isNarrowed(search: ListSearch): boolean {
  return Boolean(search.find || search.tags.length || search.state);
}

/** The same as the parameters of the API. */
export function toQuery(search: ListSearch) {
  const group = search.state ? STATE_GROUPS[search.state] : undefined;
  const items: object[] = group ? [{ field: "state", operator: "isAnyOf", value: group.states }] : [];
  if (group?.results) items.push({ field: "results", operator: "equals", value: group.results });
  return {
    skip: (search.page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    name_search: search.find || undefined,
    tag_ids: search.tags.join(",") || undefined,
    sort: JSON.stringify([{ field: search.sorting.field, sort: search.sorting.direction }]),
    filters: items.length ? JSON.stringify({ items }) : undefined,
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
