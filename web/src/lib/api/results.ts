import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { useDocument } from "./documents";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Result = Schemas["NamedResultOut"];

/**
 * Every result of a document, with schema and places. Fetched again when the document's state changes, and when
 * `keys.results(organisation, document)` is invalidated.
 */
export function useResults(documentId: string) {
  const { id } = useOrganization();
  const { data: document } = useDocument(documentId);
  return useQuery({
    queryKey: [...keys.results(id, documentId), document?.state],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/llm/results/{document_id}", {
          params: { path: { organization_id: id, document_id: documentId } },
        }),
      );
      return found.results;
    },
    enabled: document !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Fetch everything again that tells what was extracted from a document. */
export function useRefreshResults(): (documentId: string) => void {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(
    (documentId) => {
      void queryClient.invalidateQueries({ queryKey: keys.results(id, documentId) });
      void queryClient.invalidateQueries({ queryKey: keys.document(id, documentId) });
      void queryClient.invalidateQueries({ queryKey: keys.documents(id) });
      void queryClient.invalidateQueries({ queryKey: [id, "revisions", documentId] });
    },
    [id, queryClient],
  );
}
