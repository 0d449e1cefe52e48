import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

import { useNet } from "@/lib/api/changes";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { pollInterval } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { useOrganization } from "@/lib/organization";

import { parseSearch, toQuery, writeSearch } from "./search";

import type { ListSearch } from "./search";

export type Highlight = Schemas["HighlightOut"];

/** What the address asks for, and a way to ask for something else; a change goes back to the first page. */
export function useListSearch(): [ListSearch, (change: Partial<ListSearch>) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseSearch(raw), [raw]);
  const change = useCallback(
    (part: Partial<ListSearch>) =>
      void navigate({ to: ".", search: writeSearch({ ...search, page: 1, ...part }), replace: !("page" in part) }),
    [navigate, search],
  );
  return [search, change];
}

/** One page of documents; looks again by itself while something is under way. */
export function useDocuments(search: ListSearch) {
  const { id } = useOrganization();
  const net = useNet();
  const query = toQuery(search);
  return useQuery({
    queryKey: [...keys.documents(id), query],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/documents", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => net(pollInterval(state.data?.documents)),
  });
}

/** The first values of the results of these documents; fetched anew when one of them changes its state. */
export function useHighlights(documents: Document[]): ReadonlyMap<string, Highlight[]> {
  const { id } = useOrganization();
  const extracted = documents.filter((document) => document.state.startsWith("llm_"));
  const ids = extracted.map((document) => document.id);
  const { data } = useQuery({
    queryKey: [...keys.documents(id), "highlights", extracted.map((document) => `${document.id} ${document.state}`)],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/llm/highlights", {
          params: { path: { organization_id: id }, query: { document_ids: ids.join(",") } },
        }),
      ),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => new Map(data?.highlights.map((item) => [item.document_id, item.values])), [data]);
}

/** Fetch the lists again; resolves when they are there. */
export function useRefreshDocuments(): () => Promise<void> {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: keys.documents(id) }), [queryClient, id]);
}
