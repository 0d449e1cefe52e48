import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { pollInterval } from "@/lib/documentState";
import type { Document, DocumentState, Facts } from "@/lib/documentState";
import { useOrganization } from "@/lib/organization";

import { useNet } from "./changes";
import { api, ask } from "./client";
import { keys } from "./queries";

/** One document without its content; looks again by itself while something is under way. */
export function useDocument(documentId: string) {
  const { id } = useOrganization();
  const net = useNet();
  return useQuery({
    queryKey: keys.document(id, documentId),
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/documents/{document_id}", {
          params: { path: { organization_id: id, document_id: documentId }, query: { include_content: false } },
        }),
      ),
    refetchInterval: ({ state }) => net(pollInterval(state.data && [state.data])),
  });
}

const EXTRACTING_MS = 1_500;
const UNREAD: ReadonlySet<DocumentState> = new Set(["uploaded", "ocr_processing", "ocr_failed"]);

/** Names the reading of a document's text, so that words which were read again are fetched again; null while there is none. */
export function useReading(document: Document): string | null {
  const { id } = useOrganization();
  const isRead = !UNREAD.has(document.state);
  const { data } = useQuery({
    queryKey: [id, "reading", document.id],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/ocr/download/metadata/{document_id}", {
          params: { path: { organization_id: id, document_id: document.id } },
        }),
      ),
    enabled: isRead,
    staleTime: 0,
  });
  return isRead ? (data?.ocr_date ?? null) : null;
}

/** What is known of the results of these documents; looks again by itself while one of them is extracted. */
export function useFacts(documents: readonly Document[]): ReadonlyMap<string, Facts> {
  const { id } = useOrganization();
  const read = documents.filter((document) => !UNREAD.has(document.state));
  const ids = read.map((document) => document.id);
  const { data } = useQuery({
    queryKey: [...keys.documents(id), "facts", read.map((document) => `${document.id} ${document.state}`)],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/llm/highlights", {
          params: { path: { organization_id: id }, query: { document_ids: ids.join(",") } },
        }),
      ),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: read.some((document) => document.state === "llm_processing") ? EXTRACTING_MS : false,
  });
  return useMemo(() => new Map(data?.highlights.map((item) => [item.document_id, item])), [data]);
}

const SHOWN = 20;

/** The newest documents whose name holds what was typed, to choose one from. */
export function useDocumentSearch(find: string) {
  const { id } = useOrganization();
  const net = useNet();
  return useQuery({
    queryKey: [...keys.documents(id), "search", find],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/documents", {
          params: { path: { organization_id: id }, query: { limit: SHOWN, name_search: find || undefined } },
        }),
      );
      return found.documents;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => net(pollInterval(state.data)),
  });
}
