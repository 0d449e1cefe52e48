import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";

export type Server = Schemas["McpServerOut"];
export type ServerTool = Schemas["McpToolOut"];
type Tools = Schemas["McpToolsOut"];

const key = (organizationId: string) => [organizationId, "mcp-servers"] as const;
const toolsKey = (organizationId: string, serverId: string) => [...key(organizationId), serverId, "tools"] as const;

export function useServers() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: key(id),
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/mcp-servers", { params: { path: { organization_id: id } } })),
  });
}

export function useAddServer() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["NewMcpServerIn"]) =>
      ask(api.POST("/v0/orgs/{organization_id}/mcp-servers", { params: { path: { organization_id: id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key(id), exact: true }),
  });
}

export function useChangeServer(serverId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id, server_id: serverId } };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: key(id), exact: true });
  const change = useMutation({
    ...inOrder(`MCP server ${serverId}`),
    mutationFn: (body: Schemas["McpServerChangesIn"]) =>
      ask(api.PUT("/v0/orgs/{organization_id}/mcp-servers/{server_id}", { params, body })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/orgs/{organization_id}/mcp-servers/{server_id}", { params })),
    onSuccess,
  });
  return { change, remove };
}

/** The tools of a server as it described them last, and asking it again. */
export function useServerTools(serverId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = { organization_id: id, server_id: serverId };
  const queryKey = toolsKey(id, serverId);
  const listed = useQuery({
    queryKey,
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/mcp-servers/{server_id}/tools", { params: { path } })),
  });
  const refresh = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/mcp-servers/{server_id}/tools/refresh", { params: { path } })),
    onSuccess: (found) => queryClient.setQueryData<Tools>(queryKey, found),
  });
  return { listed, refresh };
}

/** What an administrator decides about one tool of a server. */
export function useToolChoice(serverId: string, toolId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const params = { path: { organization_id: id, server_id: serverId, tool_id: toolId } };
  const queryKey = toolsKey(id, serverId);
  return useMutation({
    ...inOrder(`MCP tool ${toolId}`),
    mutationFn: (body: Schemas["McpToolChoiceIn"]) =>
      ask(api.PUT("/v0/orgs/{organization_id}/mcp-servers/{server_id}/tools/{tool_id}", { params, body })),
    onSuccess: (decided) =>
      queryClient.setQueryData<Tools>(queryKey, (old) => old && { tools: old.tools.map((tool) => (tool.id === decided.id ? decided : tool)) }),
    // What the server says may have changed meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
}
