import type { Call } from "@/lib/agent/fold";
import type { Subject } from "@/lib/agent/subject";
import { asObject, parsed } from "@/lib/agent/words";

/** Where the conversation is shown. */
export interface AgentPlace extends Subject {
  /** The document of the project that is open beside it. */
  openDocument: string | null;
}

const CHANGES = /^(create|edit|rewrite|update|restore)_project_/;

/** The document of the project that a call made or changed; null when it did neither, or it is gone again. */
export function changedDocument(call: Call): { id: string; name: string } | null {
  if (!CHANGES.test(call.name) || !call.result?.ran || call.result.isError) return null;
  if (call.undone && call.name.startsWith("create_")) return null;
  const { document_id: id, name } = asObject(parsed(call.result.content));
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}
