import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";


export type Rule = Schemas["RuleOut"];
export type NewRule = Schemas["RuleIn"];

const key = (organizationId: string) => [organizationId, "agent-rules"] as const;

/** The organisation's policy, and what the user had remembered. */
export function useRules() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: key(id),
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/agent/rules", { params: { path: { organization_id: id } } }))).rules,
  });
}

export function useAddRule() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewRule) =>
      ask(api.POST("/v0/orgs/{organization_id}/agent/rules", { params: { path: { organization_id: id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key(id) }),
  });
}

export function useRevokeRule() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ruleId: string) =>
      ask(
        api.DELETE("/v0/orgs/{organization_id}/agent/rules/{rule_id}", {
          params: { path: { organization_id: id, rule_id: ruleId } },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key(id) }),
  });
}
