import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { EventType, LogEvent } from "@/lib/agent/events";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";

const MOVES_THE_INBOX: ReadonlySet<EventType> = new Set<EventType>([
  "approval_requested",
  "approval_decided",
  "approval_expired",
  "input_requested",
  "input_given",
  "input_timed_out",
  "plan",
  "plan_decided",
  "stopped",
]);
const ENDS: ReadonlySet<EventType> = new Set<EventType>(["completed", "stopped", "failed", "limit_reached"]);

/** Lists that a tool may have changed are fetched anew, wherever they are shown. */
export function useRefresh(documentId: string): (events: readonly LogEvent[]) => void {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(
    (events) => {
      const touched = new Set<readonly unknown[]>();
      for (const event of events) {
        if (MOVES_THE_INBOX.has(event.type)) touched.add(keys.inbox(id));
        if (ENDS.has(event.type)) touched.add(keys.threads(id, documentId));
        if (event.type === "undone") for (const key of everything(id, documentId)) touched.add(key);
        if (event.type === "tool_result" && !event.is_error) for (const key of keysOf(event.name, id, documentId)) touched.add(key);
      }
      for (const queryKey of touched) void queryClient.invalidateQueries({ queryKey });
    },
    [id, documentId, queryClient],
  );
}

function keysOf(tool: string, org: string, documentId: string): (readonly unknown[])[] {
  if (/^(get|list|validate|help)_/.test(tool)) return [];
  if (tool.includes("extraction")) {
    return [keys.results(org, documentId), keys.document(org, documentId), keys.documents(org), [org, "revisions", documentId]];
  }
  if (tool.endsWith("_schema")) return [keys.schemas(org), keys.prompts(org)];
  if (tool.endsWith("_prompt")) return [keys.prompts(org), keys.results(org, documentId)];
  if (tool.endsWith("_tag")) return [keys.tags(org), keys.documents(org), keys.document(org, documentId), keys.prompts(org)];
  if (tool.endsWith("_document")) return [keys.documents(org), keys.document(org, documentId), keys.prompts(org)];
  return [];
}

function everything(org: string, documentId: string): (readonly unknown[])[] {
  return [
    keys.schemas(org),
    keys.prompts(org),
    keys.tags(org),
    keys.documents(org),
    keys.document(org, documentId),
    keys.results(org, documentId),
    [org, "revisions", documentId],
  ];
}
