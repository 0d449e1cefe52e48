import { isUnderWay } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

/** Why nothing can be extracted from the document now, or false. */
export function extractionBlocked(document: Document): string | false {
  if (isUnderWay(document)) return t("documents.itIsBeingWorkedOn");
  if (document.state === "ocr_failed") return t("documents.itsTextCouldNotBeRead");
  return false;
}
