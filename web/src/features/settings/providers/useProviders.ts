import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";


export type Provider = Schemas["ProviderOut"];
/** Whose configuration is shown: the whole server's, or what this organisation has of its own. */
export type Scope = "server" | "organisation";

const key = (organizationId: string) => [organizationId, "providers"] as const;

export function useProviders(scope: Scope) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...key(id), scope],
    queryFn: async () => {
      const found = await (scope === "server"
        ? ask(api.GET("/v0/account/llm/providers"))
        : ask(api.GET("/v0/orgs/{organization_id}/llm/providers", { params: { path: { organization_id: id } } })));
      return found.providers;
    },
  });
}

export function useChangeProvider(scope: Scope, provider: string) {
  const { id } = useOrganization();
  const refresh = useRefresh();
  return useMutation({
    ...inOrder(`provider ${provider} of ${scope === "server" ? scope : id}`),
    mutationFn: (body: Schemas["ProviderIn"]) =>
      scope === "server"
        ? ask(api.PUT("/v0/account/llm/provider/{provider}", { params: { path: { provider } }, body }))
        : ask(
            api.PUT("/v0/orgs/{organization_id}/llm/provider/{provider}", {
              params: { path: { organization_id: id, provider } },
              body,
            }),
          ),
    onSuccess: refresh,
  });
}

export function useAddProvider() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas["NewProviderIn"]) => ask(api.POST("/v0/account/llm/providers", { body })),
    onSuccess: refresh,
  });
}

export function useRemoveProvider(provider: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => ask(api.DELETE("/v0/account/llm/provider/{provider}", { params: { path: { provider } } })),
    onSuccess: refresh,
  });
}

export function useTestProvider(provider: string) {
  return useMutation({
    mutationFn: (model: string | null) =>
      ask(api.POST("/v0/account/llm/provider/{provider}/test", { params: { path: { provider } }, body: { model } })),
  });
}

function useRefresh() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: key(id) }),
      queryClient.invalidateQueries({ queryKey: keys.models(id) }),
    ]);
  };
}
