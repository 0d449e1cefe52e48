import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Found = Schemas["FoundOut"];
export type FoundKind = Found["kind"];

export const KIND_WORDS: Record<FoundKind, string> = {
  get document() { return t("common.document"); },
  get living_document() { return t("common.text"); },
  get schema() { return t("common.schema"); },
  get prompt() { return t("common.prompt"); },
  get project() { return t("common.project"); },
  get tag() { return t("common.tag"); },
  get conversation() { return t("common.conversation"); },
};

/** Everything of the organisation that holds these words, names first. */
export function useFound(find: string, { kinds, limit }: { kinds?: FoundKind[]; limit: number }) {
  const { id } = useOrganization();
  const query = { q: find, kinds: kinds?.join(","), limit };
  return useQuery({
    queryKey: keys.search(id, query),
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/search", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
    enabled: find.trim() !== "",
  });
}

/** Where something is seen: a page below the organisation, and the parameters that lead to the very place. */
export function placeOf(found: Found): { path: string; search: Record<string, string | number> } {
  switch (found.kind) {
    case "document":
      return { path: `documents/${found.id}`, search: placeInDocument(found) };
    case "tag":
      return { path: "documents", search: { tags: found.id } };
    case "living_document":
      return { path: `projects/${found.project_id}`, search: { document: found.id, line: found.line ?? 1, tab: "text" } };
    case "conversation":
      return { path: `projects/${found.project_id}`, search: { thread: found.id, tab: "agent" } };
    default:
      return { path: `${found.kind}s/${found.id}`, search: {} };
  }
}

function placeInDocument({ prompt_id: prompt, field, page }: Found): Record<string, string | number> {
  if (prompt && field) return { prompt, field };
  return page ? { page } : {};
}
