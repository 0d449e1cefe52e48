import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { USUAL_THRESHOLD } from "@/lib/known";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type ReviewQueue = Schemas["QueueOut"];
export type ReviewPolicy = Schemas["PolicyIn"];
export type Assignment = Schemas["AssignmentOut"];
export type Doubt = Schemas["DoubtOut"];
export type Verdict = Schemas["ConclusionIn"]["verdict"];

const OFTEN_MS = 20_000;

/** Every prompt with results: what of them is looked at, and how much waits. */
export function useReviewQueues() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: keys.review(id),
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/review", { params: { path: { organization_id: id } } }))).queues,
    refetchInterval: OFTEN_MS,
  });
}

/** How many documents wait for a reviewer, for the navigation. */
export function useReviewCount(): number {
  return (useReviewQueues().data ?? []).reduce((count, queue) => count + queue.waiting, 0);
}

/** The confidence below which a value of this prompt is doubtful. */
export function useThreshold(promptId: string): number {
  return useReviewQueues().data?.find((queue) => queue.prompt_id === promptId)?.threshold ?? USUAL_THRESHOLD;
}

export function useSetPolicy() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ promptId, ...body }: ReviewPolicy & { promptId: string }) =>
      ask(api.PUT("/v0/orgs/{organization_id}/review/{prompt_id}", { params: { path: { organization_id: id, prompt_id: promptId } }, body })),
    onSuccess: (changed) => {
      queryClient.setQueryData<ReviewQueue[]>(keys.review(id), (all) =>
        all?.map((queue) => (queue.prompt_id === changed.prompt_id ? changed : queue)),
      );
      void queryClient.invalidateQueries({ queryKey: keys.sheets(id) });
    },
  });
}

/** How the server is asked about the documents of one queue. */
export interface ReviewCalls {
  next: (without: string[]) => Promise<Assignment | null>;
  keep: (documentId: string) => Promise<Assignment>;
  release: (documentId: string) => Promise<unknown>;
  conclude: (documentId: string, verdict: Verdict, revision: number) => Promise<{ revision: number }>;
  undo: (documentId: string, revision: number, to: number) => Promise<Assignment>;
}

export function reviewCalls(organizationId: string, promptId: string): ReviewCalls {
  const path = { organization_id: organizationId, prompt_id: promptId };
  const at = (document_id: string) => ({ path: { ...path, document_id } });
  return {
    next: async (without) =>
      (await ask(api.POST("/v0/orgs/{organization_id}/review/{prompt_id}/next", { params: { path }, body: { without } }))).assignment,
    keep: (documentId) => ask(api.POST("/v0/orgs/{organization_id}/review/{prompt_id}/{document_id}/keep", { params: at(documentId) })),
    release: (documentId) => ask(api.POST("/v0/orgs/{organization_id}/review/{prompt_id}/{document_id}/release", { params: at(documentId) })),
    conclude: (documentId, verdict, revision) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/review/{prompt_id}/{document_id}/conclude", {
          params: at(documentId),
          body: { verdict, revision },
        }),
      ),
    undo: (documentId, revision, to) =>
      ask(api.POST("/v0/orgs/{organization_id}/review/{prompt_id}/{document_id}/undo", { params: at(documentId), body: { revision, to } })),
  };
}
