import type { Subject } from "@/lib/agent/subject";
import { useProjectDocuments } from "@/lib/api/projects";

import type { Sent } from "./useAgent";

/** What tells the agent which document of the project is open. One that was deleted meanwhile is not told. */
export function useOpenDocument(subject: Subject, openDocument: string | null): Sent {
  const { data: documents } = useProjectDocuments(subject.kind === "project" ? subject.id : null);
  const isThere = documents?.some((one) => one.id === openDocument);
  return isThere && openDocument ? { open_document_id: openDocument } : {};
}
