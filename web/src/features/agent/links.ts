import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";

import type { OwnLinks } from "@/components/Markdown";
import { useOrgPath } from "@/lib/organization";


const PAGES: Record<string, (id: string) => string> = {
  doc: (id) => `documents/${id}`,
  schema: (id) => `schemas/${id}`,
  schema_rev: (id) => `schemas/${id}`,
  prompt: (id) => `prompts/${id}`,
  prompt_rev: (id) => `prompts/${id}`,
  tag: () => "tags",
};
const LINK = /^(doc|schema_rev|schema|prompt_rev|prompt|tag):([0-9a-f]{24})$/;

/** `schema_rev:65f0...` as the page of that schema; null for every other address. */
export function pageOf(href: string): string | null {
  const [, scheme = "", id = ""] = LINK.exec(href) ?? [];
  return PAGES[scheme]?.(id) ?? null;
}

/** Links of the agent to things of ours open our pages. */
export function useOwnLinks(): OwnLinks {
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      addressOf: (href) => {
        const page = pageOf(href);
        return page === null ? null : orgPath(page);
      },
      open: (address) => void navigate({ to: address }),
    }),
    [orgPath, navigate],
  );
}
