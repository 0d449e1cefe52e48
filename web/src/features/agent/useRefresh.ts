import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { EventType, LogEvent } from "@/lib/agent/events";
import type { Subject } from "@/lib/agent/subject";
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

/** Lists that a tool may have changed are fetched again, wherever they are shown. */
export function useRefresh({ kind, id: subjectId }: Subject): (events: readonly LogEvent[]) => void {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(
    (events) => {
      const touched = new Map<string, readonly unknown[]>();
      const touch = (queryKey: readonly unknown[]): unknown => touched.set(JSON.stringify(queryKey), queryKey);
      for (const event of events) {
        if (MOVES_THE_INBOX.has(event.type)) touch(keys.inbox(id));
        if (ENDS.has(event.type)) touch(keys.threads(id, subjectId));
        if (event.type === "undone") everything(id, kind, subjectId).forEach(touch);
        if (event.type === "tool_result" && !event.is_error) keysOf(event.name, id, subjectId).forEach(touch);
      }
      for (const queryKey of touched.values()) void queryClient.invalidateQueries({ queryKey });
    },
    [id, kind, subjectId, queryClient],
  );
}

/** The lists behind a tool; the subject is the document, or the project, of the conversation. */
function keysOf(tool: string, org: string, subjectId: string): (readonly unknown[])[] {
  if (/^(get|list|read|search|validate|help)_/.test(tool)) return [];
  if (tool.includes("_project_")) return [keys.projects(org), keys.project(org, subjectId)];
  if (tool.includes("extraction")) {
    return [
      keys.results(org, subjectId),
      keys.document(org, subjectId),
      keys.documents(org),
      keys.proposals(org),
      [org, "revisions", subjectId],
    ];
  }
  if (tool.endsWith("_schema")) return [keys.schemas(org), keys.prompts(org), keys.proposals(org)];
  if (tool.endsWith("_prompt")) return [keys.prompts(org), keys.results(org, subjectId), keys.document(org, subjectId), keys.proposals(org)];
  if (tool.endsWith("_tag")) return [keys.tags(org), keys.documents(org), keys.document(org, subjectId), keys.prompts(org)];
  if (tool.endsWith("_document")) return [keys.documents(org), keys.document(org, subjectId), keys.prompts(org)];
  return [];
}

function everything(org: string, kind: Subject["kind"], subjectId: string): (readonly unknown[])[] {
  if (kind === "project") return [keys.projects(org), keys.project(org, subjectId)];
  return [
    keys.schemas(org),
    keys.prompts(org),
    keys.tags(org),
    keys.documents(org),
    keys.document(org, subjectId),
    keys.results(org, subjectId),
    keys.proposals(org),
    [org, "revisions", subjectId],
  ];
}
