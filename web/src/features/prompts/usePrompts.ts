import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { toQuery } from "@/lib/listSearch";
import type { ListSearch } from "@/lib/listSearch";
import { useOrganization } from "@/lib/organization";


export function usePromptList(search: ListSearch) {
  const { id } = useOrganization();
  const query = toQuery(search);
  return useQuery({
    queryKey: [...keys.prompts(id), query],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/prompts", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
  });
}

export function usePromptVersions(promptId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.prompts(id), "versions", promptId],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/prompts/{prompt_id}/versions", {
          params: { path: { organization_id: id, prompt_id: promptId ?? "" } },
        }),
      );
      return found.prompts;
    },
    enabled: promptId !== null,
  });
}

export function useSavePrompt(promptId: string | null) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["PromptIn"]) =>
      promptId === null
        ? ask(api.POST("/v0/orgs/{organization_id}/prompts", { params: { path: { organization_id: id } }, body }))
        : ask(
            api.PUT("/v0/orgs/{organization_id}/prompts/{prompt_id}", {
              params: { path: { organization_id: id, prompt_id: promptId } },
              body,
            }),
          ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.prompts(id) }),
  });
}

export function useDeletePrompt() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (promptId: string) =>
      ask(
        api.DELETE("/v0/orgs/{organization_id}/prompts/{prompt_id}", {
          params: { path: { organization_id: id, prompt_id: promptId } },
        }),
      ),
    // What was deleted is still on the page for a moment: asking for it again would only be refused.
    onSuccess: (_, promptId) =>
      queryClient.invalidateQueries({
        queryKey: keys.prompts(id),
        predicate: (query) => !query.queryKey.includes(promptId),
      }),
  });
}
