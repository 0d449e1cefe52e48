import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

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

export function useStrategies() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "agent-strategies"],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/agent/strategies", { params: { path: { organization_id: id } } }))).strategies,
    staleTime: LONG_MS,
  });
}

/** Models that can talk with tools, and the one that is used when none is named. */
export function useChatModels() {
  const { id } = useOrganization();
  const params = { path: { organization_id: id } };
  return useQuery({
    queryKey: [...keys.models(id), "chat"],
    queryFn: async () => {
      const [found, chosen] = await Promise.all([
        ask(api.GET("/v0/orgs/{organization_id}/llm/models", { params: { ...params, query: { chat_only: true } } })),
        ask(api.GET("/v0/orgs/{organization_id}/llm/default_model", { params })),
      ]);
      return { models: found.models, defaultModel: chosen.model ?? null };
    },
    staleTime: 30_000,
  });
}
