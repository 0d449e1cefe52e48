import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { everything } from "./pages";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Prompt = Schemas["PromptOut"];

/** The newest version of every prompt, by name; cached, and shared by whoever picks or mentions one. */
export function useAllPrompts() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.prompts(id), "all"],
    queryFn: async () => {
      const prompts = await everything(async (skip, limit) => {
        const found = await ask(
          api.GET("/v0/orgs/{organization_id}/prompts", {
            params: { path: { organization_id: id }, query: { skip, limit } },
          }),
        );
        return { items: found.prompts, total: found.total_count };
      });
      return prompts.sort((a, b) => a.name.localeCompare(b.name));
    },
    staleTime: 30_000,
  });
}
