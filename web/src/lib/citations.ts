import type { Schemas } from "@/lib/api/client";
import { boundTo } from "@/lib/bound";
import { t } from "@/lib/i18n";

export type Citation = Schemas["CitationOut"];
export type CitedTable = Schemas["BoundTableOut"];
/** What a living document rests on. */
export type Cited = Pick<Schemas["CitingDocumentOut"], "citations" | "tables">;

const VALUE = /^doc:([0-9a-f]{24})\/([0-9a-f]{24}|default)\/([^/]+)$/;
const WORDS = /^doc:([0-9a-f]{24})\/page\/([1-9][0-9]{0,8})$/;

/** The page of what a citation points to: the document with its field or its page, or the sheet; null for all other addresses. */
export function citedPage(href: string): string | null {
  const [, onPage, page] = WORDS.exec(href) ?? [];
  if (onPage && page) return `documents/${onPage}?${new URLSearchParams({ page })}`;
  const sheet = boundTo(href);
  if (sheet) return `sheets/${sheet.promptId}`;
  const [, document, prompt = "", path = ""] = VALUE.exec(href) ?? [];
  if (!document) return null;
  return `documents/${document}?${new URLSearchParams({ prompt, field: decoded(path) })}`;
}

export interface Source {
  documentId: string;
  promptId: string;
  path: string;
}

/** The address of a value in a citation. */
export function hrefOf({ documentId, promptId, path }: Source): string {
  const written = encodeURIComponent(path).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `doc:${documentId}/${promptId}/${written}`;
}

/** A value of a result as a citation in markdown, to be put into a living document. */
export function citationOf(source: Source, value: unknown): string {
  const said = typeof value === "string" ? oneLine(value) : JSON.stringify(value);
  const text = said.replace(/[\\[\]`*_<|]/g, "\\$&");
  const title = said.replace(/[\\"]/g, "\\$&");
  return `[${text}](${hrefOf(source)} "${title}")`;
}

/** Those whose source says something else now, or is gone. */
export function staleIn(cited?: Cited): (Citation | CitedTable)[] {
  return [...(cited?.citations ?? []), ...(cited?.tables ?? [])].filter((one) => one.state !== "current");
}

/** What stands beside a passage whose source has changed. */
export function staleNote(citation: Citation): string | null {
  if (citation.state === "current") return null;
  if (citation.state === "gone") return t("lib.sourceIsGone");
  return citation.now === null ? t("lib.thePageSaysSomethingElseNow") : t("lib.nowNow", { now: citation.now });
}

function oneLine(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
