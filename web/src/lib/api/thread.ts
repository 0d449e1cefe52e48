import { useMutation, useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";
import type { Pile } from "@/lib/thread";

import { useNet } from "./changes";
import { api, ask } from "./client";
import { useRefreshProposals, useWaiting } from "./proposals";
import { keys } from "./queries";
import { useReviewQueues } from "./review";

const SOON_MS = 2_000;
const MOST_AT_ONCE = 100;
const UNREAD = ["uploaded", "ocr_processing"];

/** How far the documents have come; null until it is known. */
export function useThread(): Pile | null {
  const files = useDocumentCount();
  const unread = useDocumentCount(UNREAD);
  const proposals = useWaiting(1).data;
  const queues = useReviewQueues().data;
  if (files === undefined || unread === undefined || !proposals || !queues) return null;
  const kinds = queues.filter((queue) => queue.prompt_id !== "default");
  return {
    files,
    unread,
    preparing: proposals.counts.running ?? 0,
    proposed: proposals.total_count,
    kinds: kinds.map(({ prompt_id: promptId, name, waiting, to_check: values }) => ({ promptId, name, waiting, values })),
  };
}

/** How many documents there are, or of these those in some states. */
export function useDocumentCount(states?: string[]): number | undefined {
  const { id } = useOrganization();
  const net = useNet();
  const { data } = useQuery({
    queryKey: [...keys.documents(id), "count", states],
    queryFn: async () => {
      const items = states && [{ field: "state", operator: "isAnyOf", value: states }];
      const query = { limit: 1, filters: items && JSON.stringify({ items }) };
      return (await ask(api.GET("/v0/orgs/{organization_id}/documents", { params: { path: { organization_id: id }, query } }))).total_count;
    },
    refetchInterval: ({ state }) => net(states && state.data ? SOON_MS : false),
  });
  return data;
}

/** Lets the agent prepare the newest documents for which it has prepared nothing yet. */
export function useFindValues() {
  const { id } = useOrganization();
  const refresh = useRefreshProposals();
  const path = { organization_id: id };
  return useMutation({
    mutationFn: async () => {
      const { documents } = await ask(api.GET("/v0/orgs/{organization_id}/documents", { params: { path, query: { limit: MOST_AT_ONCE } } }));
      const document_ids = documents.filter((document) => document.auto_create_status === null).map((document) => document.id);
      if (document_ids.length) await ask(api.POST("/v0/orgs/{organization_id}/auto_create/retry", { params: { path }, body: { document_ids } }));
    },
    onSettled: refresh,
  });
}
