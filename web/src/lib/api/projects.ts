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

/** Not among the project's own keys: a version never changes, so it need not be fetched anew with them. */
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
