import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

import { useNet } from "@/lib/api/changes";
import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { pollInterval } from "@/lib/documentState";
import { useOrganization } from "@/lib/organization";

import { parseSearch, toQuery, writeSearch } from "./search";

import type { ListSearch } from "./search";

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

/** Fetch the lists again; resolves when they are there. */
export function useRefreshDocuments(): () => Promise<void> {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: keys.documents(id) }), [queryClient, id]);
}
