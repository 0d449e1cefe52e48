import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";

import { api, ask } from "./client";
import { keys } from "./queries";

/** Names of the models that can run now; `chat` narrows to those on the agent's lists. */
export function useModelNames({ chat = false }: { chat?: boolean } = {}) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.models(id), "names", chat],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/llm/models", {
          params: { path: { organization_id: id }, query: { chat_only: chat } },
        }),
      );
      return found.models;
    },
    staleTime: 30_000,
  });
}

export type Use = "agent" | "extraction";

/** The organisation's default model for one use; null leaves it to the server. */
export function useDefaultModel(use: Use = "extraction") {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.models(id), "default"],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/llm/default_model", { params: { path: { organization_id: id } } }),
      );
      return found;
    },
    select: (found) => (use === "agent" ? found.agent_model : found.model) ?? null,
    staleTime: 30_000,
  });
}

/** Makes a model the organisation's default. */
export function useSetDefaultModel() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    ...inOrder(`default model of ${id}`),
    mutationFn: (body: { model: string | null; use_for: Use | "both" }) =>
      ask(api.PUT("/v0/orgs/{organization_id}/llm/default_model", { params: { path: { organization_id: id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.models(id) }),
  });
}

/** Models that can talk with tools, and the one that is used when none is named; undefined until both are known. */
export function useChatModels(): { models: string[]; defaultModel: string | null } | undefined {
  const { data: models } = useModelNames({ chat: true });
  const { data: defaultModel } = useDefaultModel("agent");
  return models && defaultModel !== undefined ? { models, defaultModel } : undefined;
}
