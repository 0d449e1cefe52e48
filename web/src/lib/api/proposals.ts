import { keepPreviousData, useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { LogEvent } from "@/lib/agent/events";
import type { Document } from "@/lib/documentState";
import { useOrganization } from "@/lib/organization";
import { jsonSchemaOf } from "@/lib/proposals";
import { inOrder } from "@/lib/wished";

import { useNet } from "./changes";
import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";
import type { Result } from "./results";

export type Proposal = Schemas["ProposalOut"];
export type ProposalGroup = Schemas["ReviewOut"]["groups"][number];
export type ProposedDocument = ProposalGroup["documents"][number];
export type ProposalStatus = NonNullable<Document["auto_create_status"]>;

const OFTEN_MS = 10_000;
const SOON_MS = 2_000;
const LOOK_EVERY_MS = 1_500;
const MOST_GROUPS = 50;
const PROPOSED = "proposed result";
const VERDICT = ["verdict"];

/** How many documents are in which state of their proposal; looks again by itself, sooner while something is prepared. */
export function useProposalCounts() {
  return useWaiting(1).data?.counts;
}

/** How many proposals wait for a verdict, for the navigation. */
export function useProposalCount(): number {
  return useProposalCounts()?.proposed ?? 0;
}

/** What waits for a verdict, one group for each schema that is proposed. */
export function useProposalGroups() {
  return useWaiting(MOST_GROUPS);
}

export function useWaiting(limit: number) {
  const { id } = useOrganization();
  const net = useNet();
  return useQuery({
    queryKey: [...keys.proposals(id), "waiting", limit],
    queryFn: () =>
      ask(api.GET("/v0/orgs/{organization_id}/auto_create", { params: { path: { organization_id: id }, query: { limit } } })),
    select: byName,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => net(state.data?.counts.running ? SOON_MS : OFTEN_MS),
  });
}

/** The documents of each group in the order in which a person looks for them. */
function byName(found: Schemas["ReviewOut"]): Schemas["ReviewOut"] {
  const inOrder = (one: ProposedDocument, other: ProposedDocument): number =>
    one.document_name.localeCompare(other.document_name, undefined, { numeric: true });
  return { ...found, groups: found.groups.map((group) => ({ ...group, documents: group.documents.toSorted(inOrder) })) };
}

/** What was prepared for a document. Fetched again when its status changes, and when `keys.proposals` is invalidated. */
export function useProposal(document: Document) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.proposals(id), document.id, document.auto_create_status],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/documents/{document_id}/auto_create", {
          params: { path: { organization_id: id, document_id: document.id } },
        }),
      ),
    enabled: document.auto_create_status !== null && document.auto_create_status !== "running",
    placeholderData: keepPreviousData,
  });
}

/** The log of the turn that prepared a proposal; looks again by itself while that turn runs. */
export function useProposalLog(documentId: string, isRunning: boolean) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.proposals(id), documentId, "log"],
    queryFn: async () => {
      const log = await ask(
        api.GET("/v0/orgs/{organization_id}/documents/{document_id}/auto_create/agent_log", {
          params: { path: { organization_id: id, document_id: documentId } },
        }),
      );
      return { turnId: log.turn_id ?? "", events: log.events as unknown as LogEvent[] };
    },
    refetchInterval: isRunning && LOOK_EVERY_MS,
  });
}

/**
 * The result that is proposed for a document: a list of one, or of none. It is kept beside the document's other results, so
 * that a change to one of its values is seen at once. While a verdict is on its way it is not asked for: it may be gone.
 */
export function useProposedResult(document: Document | undefined, { schema, prompt }: Partial<Pick<Proposal, "schema" | "prompt">>) {
  const { id } = useOrganization();
  const documentId = document?.id ?? "";
  const promptRevid = document?.auto_create_prompt_revid;
  const isProposed = document?.auto_create_status === "proposed";
  const isDecided = useIsMutating({ mutationKey: [...VERDICT, documentId] }) > 0;
  const query = useQuery({
    queryKey: [...keys.results(id, documentId), PROPOSED, promptRevid, schema?.schema_revid],
    queryFn: async ({ signal }): Promise<Result[]> => {
      const result = await ask(
        api.GET("/v0/orgs/{organization_id}/llm/result/{document_id}", {
          params: { path: { organization_id: id, document_id: documentId }, query: { prompt_revid: promptRevid ?? undefined } },
          signal,
        }),
      );
      return [{ ...result, prompt_name: prompt?.name ?? "", json_schema: jsonSchemaOf(schema?.response_format) }];
    },
    enabled: isProposed && !isDecided && Boolean(promptRevid && prompt),
  });
  return { ...query, result: isProposed ? query.data?.[0] : undefined };
}

export type ProposalActions = ReturnType<typeof useProposalActions>;

/** Verdicts on the proposal of one document. */
export function useProposalActions(documentId: string) {
  const { id } = useOrganization();
  const refresh = useRefreshProposals();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id, document_id: documentId } };
  const verdict = {
    mutationKey: [...VERDICT, documentId],
    onMutate: () => queryClient.cancelQueries({ queryKey: [...keys.results(id, documentId), PROPOSED] }),
    onSettled: refresh,
  };
  const accept = useMutation({
    /** With a tag, documents that carry it are processed by themselves from then on. */
    mutationFn: ({ tagName }: { tagName?: string }) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/documents/{document_id}/auto_create/accept", {
          params,
          body: { tag_ids: [], tag_name: tagName },
        }),
      ),
    ...verdict,
  });
  const reject = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/documents/{document_id}/auto_create/reject", { params })),
    ...verdict,
  });
  const restore = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/documents/{document_id}/auto_create/restore", { params })),
    onSettled: refresh,
  });
  const retry = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/documents/{document_id}/auto_create/retry", { params })),
    onSettled: refresh,
  });
  return { accept, reject, restore, retry };
}

export type Verdict = "accept" | "reject" | "restore";

/** One verdict on many documents, after those before it. The answer says what became of each. */
export function useVerdicts() {
  const { id } = useOrganization();
  const refresh = useRefreshProposals();
  return useMutation({
    ...inOrder(`verdicts in ${id}`),
    mutationFn: async ({ verdict, documentIds: document_ids, tagName }: { verdict: Verdict; documentIds: string[]; tagName?: string }) => {
      const params = { path: { organization_id: id } };
      const accepted = { document_ids, tag_ids: [], tag_name: tagName };
      const { documents } =
        verdict === "accept"
          ? await ask(api.POST("/v0/orgs/{organization_id}/auto_create/accept", { params, body: accepted }))
          : await ask(api.POST(`/v0/orgs/{organization_id}/auto_create/${verdict}`, { params, body: { document_ids } }));
      return documents;
    },
    onSettled: refresh,
  });
}

/** A verdict may bring a schema, a prompt, a tag and results about, or take them away. */
export function useRefreshProposals(): () => Promise<void> {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    const touched = [
      keys.proposals(id),
      keys.documents(id),
      [id, "document"],
      [id, "results"],
      keys.schemas(id),
      keys.prompts(id),
      keys.tags(id),
      keys.review(id),
      keys.sheets(id),
    ];
    // A verdict does not change the proposed result itself, and one that was rejected can no longer be asked for.
    const predicate = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => !queryKey.includes(PROPOSED);
    await Promise.all(touched.map((queryKey) => queryClient.invalidateQueries({ queryKey, predicate })));
  }, [id, queryClient]);
}
