import { Link } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { Split } from "@/components/Split";
import { ProposedSection } from "@/features/extraction/ProposedSection";
import { Viewer } from "@/features/viewer/Viewer";
import { useDocument, useReading } from "@/lib/api/documents";
import { ApiError } from "@/lib/api/errors";
import { useProposedResult } from "@/lib/api/proposals";
import type { ProposalGroup } from "@/lib/api/proposals";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useMedia } from "@/lib/media";
import { useOrganization, useOrgPath } from "@/lib/organization";

import { useFieldLink } from "../document/useFieldLink";

interface ProposedDocumentProps {
  documentId: string;
  group: ProposalGroup;
}

/** The document that is looked at: the values that are proposed, and its pages. */
export function ProposedDocument({ documentId, group }: ProposedDocumentProps) {
  const { data: document, error, refetch } = useDocument(documentId);
  if (error instanceof ApiError && error.status === 404) return <EmptyState title={t("proposals.thisDocumentWasDeleted")} />;
  if (error) return <ErrorNote className="m-4" what={t("common.theDocumentCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!document) return <Loading what={t("common.theDocument")} />;
  return <Beside document={document} group={group} />;
}

function Beside({ document, group }: { document: Document; group: ProposalGroup }) {
  const { id: organizationId } = useOrganization();
  const orgPath = useOrgPath();
  const reading = useReading(document);
  const isWide = useMedia("(min-width: 80rem)");
  const { result, error, refetch } = useProposedResult(document, group);
  const results = useMemo(() => (result ? [result] : undefined), [result]);
  const { events, view } = useFieldLink(results, useCallback(() => undefined, []));
  const values = (
    <div
      role="region"
      aria-label={t("proposals.proposedValues")}
      // What scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto bg-surface focus-visible:-outline-offset-2"
    >
      {error && <ErrorNote className="m-3" what={t("proposals.theValuesCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!result && !error && <Loading what={t("proposals.theValues")} />}
      {result && <ProposedSection {...events} result={result} />}
    </div>
  );
  const pages = (
    <Viewer
      {...view}
      documentId={document.id}
      address={`/v0/orgs/${organizationId}/documents/${document.id}/file?file_type=pdf`}
      pageCount={document.page_count ?? 1}
      reading={reading}
      showText={false}
    />
  );
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-2 border-b bg-surface px-4">
        <p className="min-w-0 truncate font-medium">{document.document_name}</p>
        <Link to={orgPath(`documents/${document.id}`)} className="ml-auto shrink-0 text-sm text-accent underline underline-offset-2">
          {t("common.openDocument")}
        </Link>
      </div>
      {isWide ? (
        <Split name="proposals.document" label={t("proposals.widthOfTheValues")} className="flex-1" left={values} right={pages} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-2 flex-col border-b">{values}</div>
          <div className="flex min-h-0 flex-3 flex-col">{pages}</div>
        </div>
      )}
    </>
  );
}
