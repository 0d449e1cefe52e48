import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";

export type Entry = Schemas["AuditEntryOut"];

export const PAGE_SIZE = 50;

/** The agent works while the page is open; what it did since appears on the first page. */
const LOOK_EVERY_MS = 10_000;

export interface Filters {
  userId: string;
  document: { id: string; name: string } | null;
  page: number;
}

/** What the agent did in the organisation, the newest first. */
export function useAudit(filters: Filters) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "audit", filters.userId, filters.document?.id ?? "", filters.page],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/audit", {
          params: {
            path: { organization_id: id },
            query: {
              user_id: filters.userId || undefined,
              document_id: filters.document?.id,
              skip: (filters.page - 1) * PAGE_SIZE,
              limit: PAGE_SIZE,
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: filters.page === 1 ? LOOK_EVERY_MS : false,
  });
}
