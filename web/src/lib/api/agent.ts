import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";

import type { Schemas } from "./client";

export type AgentTool = Schemas["ToolOut"];

const LONG_MS = 5 * 60_000;

/** What the agent may call. The same for all documents; asked for one that the user may see. */
export function useAgentTools(documentId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "agent-tools"],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/documents/{document_id}/chat/tools", {
          params: { path: { organization_id: id, document_id: documentId ?? "" } },
        }),
      ),
    enabled: documentId !== null,
    staleTime: LONG_MS,
  });
}

export const strategiesKey = (org: string) => [org, "agent-strategies"] as const;

/** The ways in which the agent can work, and which of them is used when none is named. */
export function useStrategies() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: strategiesKey(id),
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/agent/strategies", { params: { path: { organization_id: id } } }))).strategies,
    staleTime: LONG_MS,
  });
}
