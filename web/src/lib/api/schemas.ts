import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { everything } from "./pages";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Schema = Schemas["SchemaOut"];

/** The newest version of every schema, by name; cached, and shared by whoever picks or mentions one. */
export function useAllSchemas() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.schemas(id), "all"],
    queryFn: async () => {
      const schemas = await everything(async (skip, limit) => {
        const found = await ask(
          api.GET("/v0/orgs/{organization_id}/schemas", {
            params: { path: { organization_id: id }, query: { skip, limit } },
          }),
        );
        return { items: found.schemas, total: found.total_count };
      });
      return schemas.sort((a, b) => a.name.localeCompare(b.name));
    },
    staleTime: 30_000,
  });
}

/** Every version of one schema, newest first. */
export function useSchemaVersions(schemaId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.schemas(id), "versions", schemaId],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/schemas/{schema_id}/versions", {
          params: { path: { organization_id: id, schema_id: schemaId ?? "" } },
        }),
      );
      return found.schemas;
    },
    enabled: schemaId !== null,
  });
}
