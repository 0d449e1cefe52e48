import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";

import type { OwnLinks } from "@/components/Markdown";
import { api, ask } from "@/lib/api/client";
import { citedPage } from "@/lib/citations";
import { useOrganization, useOrgPath } from "@/lib/organization";


const PAGES: Record<string, (id: string) => string> = {
  doc: (id) => `documents/${id}`,
  schema: (id) => `schemas/${id}`,
  schema_rev: (id) => `schemas/${id}`,
  prompt: (id) => `prompts/${id}`,
  prompt_rev: (id) => `prompts/${id}`,
  tag: () => "tags",
};
const LINK = /^(doc|schema_rev|schema|prompt_rev|prompt|tag):([0-9a-f]{24})$/;

/** `schema_rev:65f0...` as the page of that schema, a citation as that of its source; null for every other address. */
export function pageOf(href: string): string | null {
  const [, scheme = "", id = ""] = LINK.exec(href) ?? [];
  return PAGES[scheme]?.(id) ?? citedPage(href);
}

/** The page of the schema or prompt that a version belongs to; null for links that name no version. */
async function newestOf(organizationId: string, href: string): Promise<string | null> {
  const [, scheme, revid = ""] = LINK.exec(href) ?? [];
  const path = { organization_id: organizationId };
  if (scheme === "schema_rev") {
    const found = await ask(api.GET("/v0/orgs/{organization_id}/schemas/{schema_revid}", { params: { path: { ...path, schema_revid: revid } } }));
    return `schemas/${found.schema_id}`;
  }
  if (scheme === "prompt_rev") {
    const found = await ask(api.GET("/v0/orgs/{organization_id}/prompts/{prompt_revid}", { params: { path: { ...path, prompt_revid: revid } } }));
    return `prompts/${found.prompt_id}`;
  }
  return null;
}

/** Links of the agent to things of ours open our pages. */
export function useOwnLinks(): OwnLinks {
  const { id } = useOrganization();
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      addressOf: (href) => {
        const page = pageOf(href);
        return page === null ? null : orgPath(page);
      },
      open: (address, href) =>
        void newestOf(id, href)
          .catch(() => null)
          .then((page) => navigate({ to: page === null ? address : orgPath(page) })),
    }),
    [id, orgPath, navigate],
  );
}
