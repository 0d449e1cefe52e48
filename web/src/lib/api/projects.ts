import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Project = Schemas["ProjectOut"];
/** A document of a project as lists have it: without its text. */
export type LivingEntry = Schemas["VersionOut"];
export type LivingDocument = Schemas["LivingDocumentOut"];

const OTHERS_MAY_WRITE_MS = 10_000;
const VALUES_MAY_CHANGE_MS = 30_000;
const SHOWN = 20;

export function useProject(projectId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: keys.project(id, projectId),
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/projects/{project_id}", {
          params: { path: { organization_id: id, project_id: projectId } },
        }),
      ),
  });
}

const names = new Intl.Collator(undefined, { numeric: true });
const byName = (a: LivingEntry, b: LivingEntry): number => names.compare(a.name, b.name);

/** The documents of a project by name, none without a project; looks again by itself, for others and the agent write in it too. */
export function useProjectDocuments(projectId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.project(id, projectId ?? ""), "documents"],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v0/orgs/{organization_id}/projects/{project_id}/documents", {
            params: { path: { organization_id: id, project_id: projectId ?? "" } },
          }),
        )
      ).documents.sort(byName),
    refetchInterval: OTHERS_MAY_WRITE_MS,
    enabled: projectId !== null,
  });
}

/** What the documents of a project cite, by document; looks again by itself, for values change elsewhere. */
export function useEvidence(projectId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.project(id, projectId), "evidence"],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/projects/{project_id}/evidence", {
          params: { path: { organization_id: id, project_id: projectId } },
        }),
      );
      return new Map(found.documents.map((one) => [one.id, one]));
    },
    refetchInterval: VALUES_MAY_CHANGE_MS,
  });
}

/** Projects whose name holds what was typed, to choose one from. */
export function useProjectSearch(find: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.projects(id), "search", find],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v0/orgs/{organization_id}/projects", {
            params: { path: { organization_id: id }, query: { limit: SHOWN, search: find || undefined } },
          }),
        )
      ).projects,
    placeholderData: keepPreviousData,
  });
}

export interface VersionOf {
  projectId: string;
  documentId: string;
  version: number;
}

/** Not among the project's own keys: a version never changes, so it need not be fetched again with them. */
export function versionKey(organizationId: string, { projectId, documentId, version }: VersionOf) {
  return [organizationId, "living-version", projectId, documentId, version] as const;
}

/** One version of a document with its text, which never changes. Until it is here, the one before it is shown. */
export function useVersion(of: VersionOf | null) {
  const { id } = useOrganization();
  const { projectId, documentId, version } = of ?? { projectId: "", documentId: "", version: 0 };
  return useQuery({
    queryKey: versionKey(id, { projectId, documentId, version }),
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}", {
          params: { path: { organization_id: id, project_id: projectId, living_document_id: documentId }, query: { version } },
        }),
      ),
    staleTime: Infinity,
    placeholderData: (before) => (before?.id === documentId ? before : undefined),
    enabled: of !== null,
  });
}

export type Finding = Schemas["FindingOut"];

interface Wanted {
  projectId?: string;
  kind?: Finding["kind"];
  limit: number;
}

/** What projects hold of these words: documents, and the user's own conversations. */
export function useFindings(find: string, { projectId, kind, limit }: Wanted) {
  const { id } = useOrganization();
  const query = { q: find, project_id: projectId, kind, limit };
  return useQuery({
    // Below the projects, so that what changes in them is looked for again.
    queryKey: [...keys.projects(id), "findings", query],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/projects/search", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
    enabled: find.trim() !== "",
  });
}

/** Where in its project something was found, as parameters of the address. */
export function placeOf({ document_id: document, thread_id: thread, line }: Finding): Record<string, string | number> {
  return document ? { document, line, tab: "text" } : { thread: thread ?? "", tab: "agent" };
}
