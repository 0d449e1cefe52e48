import { Link } from "@tanstack/react-router";
import { useMemo } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { groundingAt, spotsOf } from "@/features/extraction/grounding";
import { Viewer } from "@/features/viewer/Viewer";
import { pdfAddress } from "@/features/viewer/usePdf";
import { useDocument, useReading } from "@/lib/api/documents";
import { ApiError } from "@/lib/api/errors";
import { useResults } from "@/lib/api/results";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrganization, useOrgPath } from "@/lib/organization";
import type { Spot, Target } from "@/lib/places";

interface CellOnPageProps {
  documentId: string;
  promptRevid: string;
  /** Where the value stands in the result. */
  path: string;
  isClose?: boolean;
}

const NO_TARGETS: Target[] = [];

/** The pages of a document, with the words of one value of a result lit. */
export function CellOnPage({ documentId, promptRevid, path, isClose }: CellOnPageProps) {
  const { data: results } = useResults(documentId);
  const result = results?.find((one) => one.prompt_revid === promptRevid);
  const spots = useMemo(() => spotsOf(groundingAt(result?.grounding, path)), [result, path]);
  return <DocumentPages documentId={documentId} spots={spots} isClose={isClose} />;
}

interface DocumentPagesProps {
  documentId: string;
  spots: Spot[];
  /** Large enough to read the words where there is little room. */
  isClose?: boolean;
}

/** The pages of a document, with some words lit. */
export function DocumentPages({ documentId, spots, isClose }: DocumentPagesProps) {
  const { data: document, error, refetch } = useDocument(documentId);
  if (error instanceof ApiError && error.status === 404) return <EmptyState title={t("sheets.thisDocumentWasDeleted")} />;
  if (error) return <ErrorNote className="m-4" what={t("common.theDocumentCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!document) return <Loading what={t("common.theDocument")} />;
  return <Pages document={document} spots={spots} isClose={isClose} />;
}

function Pages({ document, spots, isClose }: Pick<DocumentPagesProps, "spots" | "isClose"> & { document: Document }) {
  const { id } = useOrganization();
  const orgPath = useOrgPath();
  const reading = useReading(document);
  const goTo = useMemo(() => (spots[0] ? { spot: spots[0] } : null), [spots]);
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-2 border-b bg-surface px-4">
        <p className="min-w-0 truncate font-medium">{document.document_name}</p>
        <Link to={orgPath(`documents/${document.id}`)} className="ml-auto shrink-0 text-sm text-accent underline underline-offset-2">
          {t("common.openDocument")}
        </Link>
      </div>
      <Viewer
        documentId={document.id}
        address={pdfAddress(id, document.id)}
        pageCount={document.page_count ?? 1}
        reading={reading}
        lit={spots}
        goTo={goTo}
        targets={NO_TARGETS}
        onPick={() => undefined}
        showText={false}
        isClose={isClose}
      />
    </>
  );
}
