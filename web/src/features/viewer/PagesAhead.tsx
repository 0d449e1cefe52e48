import { useEffect } from "react";

import { useDocument, useReading } from "@/lib/api/documents";
import { usePicture } from "@/lib/api/pictures";
import type { Document } from "@/lib/documentState";
import { useOrganization } from "@/lib/organization";

import { fetchAhead } from "./ahead";
import { fetchedPdf, pdfAddress } from "./usePdf";
import { usePageWords } from "./words";

/** Shows nothing: fetches what the viewer of a document needs first, so that it is there when somebody gets to it. */
export function PagesAhead({ documentId, page }: { documentId: string; page: number }) {
  const { data: document } = useDocument(documentId);
  return document ? <Known document={document} page={page} /> : null;
}

function Known({ document, page }: { document: Document; page: number }) {
  const { id } = useOrganization();
  usePageWords(document.id, page, useReading(document));
  usePicture(document.id, "first", { enabled: page === 1 });
  const address = pdfAddress(id, document.id);
  useEffect(() => fetchAhead(address, () => fetchedPdf(address)), [address]);
  return null;
}
