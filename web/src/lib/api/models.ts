import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

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

/** The organisation's default model; null leaves it to the server. */
export function useDefaultModel() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.models(id), "default"],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/llm/default_model", { params: { path: { organization_id: id } } }),
      );
      return found.model ?? null;
    },
    staleTime: 30_000,
  });
}

/** Models that can talk with tools, and the one that is used when none is named; undefined until both are known. */
export function useChatModels(): { models: string[]; defaultModel: string | null } | undefined {
  const { data: models } = useModelNames({ chat: true });
  const { data: defaultModel } = useDefaultModel();
  return models && defaultModel !== undefined ? { models, defaultModel } : undefined;
}
