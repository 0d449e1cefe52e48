import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

export interface ListSearch {
  find: string;
  sorting: { field: string; direction: "asc" | "desc" };
  /** From 1. */
  page: number;
}

export const LIST_SIZE = 50;

/** What the address asks of a list, and a way to ask for something else; a change goes back to the first page. */
export function useListSearch(sortable: readonly string[], usual: ListSearch["sorting"]): [ListSearch, (change: Partial<ListSearch>) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parse(raw, sortable, usual), [raw, sortable, usual]);
  const change = useCallback(
    (part: Partial<ListSearch>) => {
      const next = { ...search, page: 1, ...part };
      const sort = `${next.sorting.field}.${next.sorting.direction}`;
      const params = {
        find: next.find || undefined,
        sort: sort === `${usual.field}.${usual.direction}` ? undefined : sort,
        page: next.page > 1 ? next.page : undefined,
      };
      void navigate({ to: ".", search: params, replace: !("page" in part) });
    },
    [navigate, search, usual],
  );
  return [search, change];
}

/** The same as the parameters of the API. */
export function toQuery({ find, sorting, page }: ListSearch) {
  return {
    skip: (page - 1) * LIST_SIZE,
    limit: LIST_SIZE,
    name_search: find || undefined,
    sort: JSON.stringify([{ field: sorting.field, sort: sorting.direction }]),
  };
}

function parse(raw: Record<string, unknown>, sortable: readonly string[], usual: ListSearch["sorting"]): ListSearch {
  const [field = "", direction] = text(raw.sort).split(".");
  return {
    find: text(raw.find),
    sorting: sortable.includes(field) ? { field, direction: direction === "desc" ? "desc" : "asc" } : usual,
    page: Math.max(1, Math.trunc(Number(raw.page)) || 1),
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
