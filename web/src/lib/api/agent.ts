import { useQuery } from "@tanstack/react-query";

import { chatAddress, chatPlaces } from "@/lib/agent/subject";
import type { Subject } from "@/lib/agent/subject";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";

import type { Schemas } from "./client";

export type AgentTool = Schemas["ToolOut"];

const LONG_MS = 5 * 60_000;

const NOTHING: Subject = { kind: "document", id: "" };

/** What the agent may call. The same for all subjects of a kind; asked for one that the user may see. */
export function useAgentTools(subject: Subject | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "agent-tools", subject?.kind],
    queryFn: () => ask(api.GET(chatAddress(subject ?? NOTHING, "/tools"), { params: { path: chatPlaces(id, subject ?? NOTHING) } })),
    enabled: subject !== null,
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
