import { api, ask } from "./client";
import { keys } from "./queries";
import { useAll, useVersions } from "./versioned";

import type { Schemas } from "./client";
import type { Kind } from "./versioned";

export type Schema = Schemas["SchemaOut"];

export const SCHEMAS: Kind<Schema, Schemas["SchemaIn"]> = {
  noun: "schema",
  key: keys.schemas,
  revisionOf: (schema) => ({ id: schema.schema_id, revid: schema.schema_revid, version: schema.schema_version }),
  list: async (organization_id, query) => {
    const found = await ask(api.GET("/v0/orgs/{organization_id}/schemas", { params: { path: { organization_id }, query } }));
    return { items: found.schemas, total: found.total_count };
  },
  versions: async (organization_id, schema_id) =>
    (await ask(api.GET("/v0/orgs/{organization_id}/schemas/{schema_id}/versions", { params: { path: { organization_id, schema_id } } }))).schemas,
  create: (organization_id, body) =>
    ask(api.POST("/v0/orgs/{organization_id}/schemas", { params: { path: { organization_id } }, body })),
  change: (organization_id, schema_id, body) =>
    ask(api.PUT("/v0/orgs/{organization_id}/schemas/{schema_id}", { params: { path: { organization_id, schema_id } }, body })),
  remove: (organization_id, schema_id) =>
    ask(api.DELETE("/v0/orgs/{organization_id}/schemas/{schema_id}", { params: { path: { organization_id, schema_id } } })),
};

export const useAllSchemas = () => useAll(SCHEMAS);

export const useSchemaVersions = (schemaId: string | null) => useVersions(SCHEMAS, schemaId);
