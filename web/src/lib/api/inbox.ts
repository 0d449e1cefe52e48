import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { useMyInvitations } from "./invitations";
import { useProposalCount } from "./proposals";
import { keys } from "./queries";
import { useReviewCount } from "./review";

import type { Schemas } from "./client";

export type Waiting = Schemas["ApprovalsOut"]["approvals"][number];

/** The server tells of changes; this is the net under it. */
const OFTEN_MS = 10_000;
const MOST = 100;

/** Everything that waits for the user, across documents; looks again by itself and when `keys.inbox` is invalidated. */
export function useInbox() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: keys.inbox(id),
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/approvals", {
          params: { path: { organization_id: id }, query: { limit: MOST } },
        }),
      ),
    refetchInterval: OFTEN_MS,
  });
}

/** How many things wait; each call of a batch counts. */
function countOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((count, item) => count + Math.max(1, item.calls.length), 0);
}

/** How many approvals and questions of the agent wait. */
export function useApprovalCount(): number {
  const { data } = useInbox();
  return data ? countOf(data.approvals) + Math.max(0, data.total_count - data.approvals.length) : 0;
}

/** How much waits in all: approvals, invitations, proposals and values to check. */
export function useWaitingCount(): number {
  const { data: invitations = [] } = useMyInvitations();
  return useApprovalCount() + invitations.length + useProposalCount() + useReviewCount();
}

/** The first thing that waits on each document. */
export function useWaitingDocuments(): ReadonlyMap<string, Waiting> {
  const { data } = useInbox();
  return useMemo(() => {
    const first = new Map<string, Waiting>();
    for (const item of data?.approvals ?? []) {
      if (item.document_id && !first.has(item.document_id)) first.set(item.document_id, item);
    }
    return first;
  }, [data]);
}
