import { QueryClient } from "@tanstack/react-query";

import { ApiError } from "./errors";

const RETRIES = 2;

/** Lists are fresh for a few seconds, are fetched again when the window gets the focus, and errors of ours are final. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < RETRIES && !(error instanceof ApiError && error.status < 500),
      },
      mutations: { retry: false },
    },
  });
}

/**
 * The first parts of every cache key. A key is `[organisation, noun, ...the rest]`, so a mutation invalidates all lists
 * of a noun with `queryClient.invalidateQueries({ queryKey: keys.tags(org) })`.
 */
export const keys = {
  organizations: () => ["organizations"] as const,
  /** What the user is asked. */
  myInvitations: () => ["my invitations"] as const,
  /** Whom the organisation asks. */
  invitations: (org: string) => [org, "invitations"] as const,
  documents: (org: string) => [org, "documents"] as const,
  document: (org: string, id: string) => [org, "document", id] as const,
  results: (org: string, documentId: string) => [org, "results", documentId] as const,
  sheets: (org: string) => [org, "sheets"] as const,
  /** Runs of one prompt over many documents. */
  promptRuns: (org: string, promptId: string) => [org, "prompt runs", promptId] as const,
  review: (org: string) => [org, "review"] as const,
  /** Prompts measured against verified results. */
  accuracy: (org: string) => [org, "accuracy"] as const,
  /** What verified documents taught. */
  learning: (org: string) => [org, "learning"] as const,
  tags: (org: string) => [org, "tags"] as const,
  schemas: (org: string) => [org, "schemas"] as const,
  prompts: (org: string) => [org, "prompts"] as const,
  forms: (org: string) => [org, "forms"] as const,
  models: (org: string) => [org, "models"] as const,
  threads: (org: string, subjectId: string) => [org, "threads", subjectId] as const,
  projects: (org: string) => [org, "projects"] as const,
  /** A project with everything in it. */
  project: (org: string, id: string) => [org, "project", id] as const,
  /** What was found by words; belongs to no noun, so it is fetched again with every look. */
  search: (org: string, query: object) => [org, "search", query] as const,
  inbox: (org: string) => [org, "inbox"] as const,
  /** What the agent prepared by itself, of all documents. */
  proposals: (org: string) => [org, "proposals"] as const,
};
