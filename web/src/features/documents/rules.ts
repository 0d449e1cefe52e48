import { isUnderWay } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";

/** Why nothing can be extracted from the document now, or false. */
export function extractionBlocked(document: Document): string | false {
  if (isUnderWay(document)) return "It is being worked on.";
  if (document.state === "ocr_failed") return "Its text could not be read.";
  return false;
}
