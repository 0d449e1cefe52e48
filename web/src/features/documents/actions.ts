import { useMemo } from "react";

import { api, ask } from "@/lib/api/client";
import { messageOf } from "@/lib/api/errors";
import type { Document } from "@/lib/documentState";
import { download } from "@/lib/download";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";


/** What went wrong with one of several documents. */
export interface Failure {
  documentId: string;
  name: string;
  message: string;
}

/** Do the same to each, one after the other; a failure does not keep the rest from being done. */
export async function doToEach(documents: Document[], action: (document: Document) => Promise<unknown>): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const document of documents) {
    try {
      await action(document);
    } catch (error) {
      failures.push({ documentId: document.id, name: document.document_name, message: messageOf(error) });
    }
  }
  return failures;
}

/** Everything that can be done to a document of the list. */
export function useDocumentActions() {
  const organization = useOrganization();
  return useMemo(() => {
    const path = (document: Document) => ({ organization_id: organization.id, document_id: document.id });
    const change = (document: Document, body: { document_name?: string; tag_ids?: string[] }) =>
      ask(api.PUT("/v0/orgs/{organization_id}/documents/{document_id}", { params: { path: path(document) }, body }));
    return {
      rename: (document: Document, name: string) => change(document, { document_name: name }),
      setTags: (document: Document, tagIds: string[]) => change(document, { tag_ids: tagIds }),
      addTags: (document: Document, tagIds: string[]) =>
        change(document, { tag_ids: [...new Set([...document.tag_ids, ...tagIds])] }),
      remove: (document: Document) =>
        ask(api.DELETE("/v0/orgs/{organization_id}/documents/{document_id}", { params: { path: path(document) } })),
      download: (document: Document) =>
        download(
          `/v0/orgs/${organization.id}/documents/${document.id}/file?file_type=original`,
          document.document_name,
        ),
      /** The originals as one zip file. */
      downloadAll: (documents: Document[]) =>
        download(`/v0/orgs/${organization.id}/documents/download`, `${documents.length} documents.zip`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ document_ids: documents.map((document) => document.id) }),
        }),
      extractAgain: async (document: Document) => {
        const revids = await promptsOf(organization.id, document.id);
        if (organization.default_prompt_enabled) revids.unshift("default");
        if (!revids.length) throw new Error(t("documents.noPromptSharesATagWith"));
        for (const prompt_revid of revids) {
          await ask(
            api.POST("/v0/orgs/{organization_id}/llm/run/{document_id}", {
              params: { path: path(document), query: { prompt_revid, force: true, background: true } },
            }),
          );
        }
      },
    };
  }, [organization]);
}

async function promptsOf(organizationId: string, documentId: string): Promise<string[]> {
  const found = await ask(
    api.GET("/v0/orgs/{organization_id}/prompts", {
      params: { path: { organization_id: organizationId }, query: { document_id: documentId, limit: 100 } },
    }),
  );
  return found.prompts.map((prompt) => prompt.prompt_revid);
}
