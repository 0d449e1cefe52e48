import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { strategiesKey } from "@/lib/api/agent";
import { api, ask } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";

/** What the organisation has chosen for its agent. */
export function useAgentSettings() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "agent-settings"],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/agent/settings", { params: { path: { organization_id: id } } })),
  });
}

/** Choose the strategy of messages that name none; null leaves it to the server. */
export function useStrategyChange() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    ...inOrder(`strategy of ${id}`),
    mutationFn: (strategy: string | null) =>
      ask(
        api.PUT("/v0/orgs/{organization_id}/agent/settings", {
          params: { path: { organization_id: id } },
          body: { default_strategy: strategy },
        }),
      ),
    onSuccess: async (settings) => {
      queryClient.setQueryData([id, "agent-settings"], settings);
      await queryClient.invalidateQueries({ queryKey: strategiesKey(id) });
    },
  });
}
