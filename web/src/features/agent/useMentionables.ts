import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Subject } from "@/lib/agent/subject";
import { api, ask } from "@/lib/api/client";
import { useProjectDocuments } from "@/lib/api/projects";
import { keys } from "@/lib/api/queries";
import { useTags } from "@/lib/api/tags";
import { useOrganization } from "@/lib/organization";

import type { Mentionable } from "./mentions";

const FRESH_MS = 30_000;
const MOST = 100;

/** What can be named with @: in a project its documents, and what was uploaded. The lists are cached, and fetched again after a change. */
export function useMentionables(typed: string | null, subject: Subject): Mentionable[] {
  const { id } = useOrganization();
  const params = { path: { organization_id: id } };
  const inProject = subject.kind === "project";
  const enabled = typed !== null;
  const ofProject = useProjectDocuments(inProject ? subject.id : null).data;
  const name = typed?.trim() || undefined;
  const { data: tags } = useTags();
  const { data: schemas } = useQuery({
    queryKey: [...keys.schemas(id), "mentionable"],
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/schemas", { params: { ...params, query: { limit: MOST } } }))).schemas,
    staleTime: FRESH_MS,
    enabled: enabled && !inProject,
  });
  const { data: prompts } = useQuery({
    queryKey: [...keys.prompts(id), "mentionable"],
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/prompts", { params: { ...params, query: { limit: MOST } } }))).prompts,
    staleTime: FRESH_MS,
    enabled: enabled && !inProject,
  });
  const { data: documents } = useQuery({
    queryKey: [...keys.documents(id), "mentionable", name ?? ""],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/documents", { params: { ...params, query: { limit: 10, name_search: name } } }))).documents,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    enabled,
  });
  return useMemo(() => {
    const uploaded = (documents ?? []).map((one): Mentionable => ({ type: "document", id: one.id, label: one.document_name }));
    if (inProject) return [...(ofProject ?? []).map((one): Mentionable => ({ type: "living_document", id: one.id, label: one.name })), ...uploaded];
    return [
      ...(schemas ?? []).map((one): Mentionable => ({ type: "schema", id: one.schema_revid, label: `${one.name} v${one.schema_version}` })),
      ...(prompts ?? []).map((one): Mentionable => ({ type: "prompt", id: one.prompt_revid, label: `${one.name} v${one.prompt_version}` })),
      ...(tags ?? []).map((one): Mentionable => ({ type: "tag", id: one.id, label: one.name })),
      ...uploaded,
    ];
  }, [inProject, ofProject, schemas, prompts, tags, documents]);
}
