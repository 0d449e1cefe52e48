import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";

export type Webhook = Schemas["WebhookOut"];
export type WebhookEvent = Webhook["events"][number];

const LAST = 10;
const SOON_MS = 2_000;
const key = (organizationId: string) => [organizationId, "webhooks"] as const;

export function useWebhooks() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...key(id), "list"],
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/webhooks", { params: { path: { organization_id: id } } }))).webhooks,
  });
}

/** The last deliveries of a webhook; looks again while one of them waits. */
export function useDeliveries(webhookId: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...key(id), webhookId, "deliveries"],
    queryFn: () =>
      ask(
        api.GET("/v0/orgs/{organization_id}/webhooks/{webhook_id}/deliveries", {
          params: { path: { organization_id: id, webhook_id: webhookId }, query: { limit: LAST } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.deliveries.some((one) => one.state === "pending") ? SOON_MS : false),
  });
}

/** Everything that changes webhooks or sends something; the lists are fetched again after each. */
export function useWebhookCalls() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const onSettled = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key(id) });
  const at = (webhook_id: string) => ({ path: { organization_id: id, webhook_id } });
  return {
    add: useMutation({
      mutationFn: (body: Schemas["NewWebhookIn"]) => ask(api.POST("/v0/orgs/{organization_id}/webhooks", { params: { path: { organization_id: id } }, body })),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ webhookId, active }: { webhookId: string; active: boolean }) =>
        ask(api.PUT("/v0/orgs/{organization_id}/webhooks/{webhook_id}", { params: at(webhookId), body: { active, new_secret: false } })),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (webhookId: string) => ask(api.DELETE("/v0/orgs/{organization_id}/webhooks/{webhook_id}", { params: at(webhookId) })),
      // Its deliveries are gone with it, and must not be asked for again.
      onSettled: () => queryClient.invalidateQueries({ queryKey: [...key(id), "list"] }),
    }),
    test: useMutation({
      mutationFn: (webhookId: string) => ask(api.POST("/v0/orgs/{organization_id}/webhooks/{webhook_id}/test", { params: at(webhookId) })),
      onSettled,
    }),
    retry: useMutation({
      mutationFn: (delivery_id: string) =>
        ask(api.POST("/v0/orgs/{organization_id}/webhooks/deliveries/{delivery_id}/retry", { params: { path: { organization_id: id, delivery_id } } })),
      onSettled,
    }),
  };
}
