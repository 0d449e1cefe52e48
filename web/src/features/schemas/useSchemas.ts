import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useAllPrompts } from "@/lib/api/prompts";
import type { Prompt } from "@/lib/api/prompts";
import { keys } from "@/lib/api/queries";
import { toQuery } from "@/lib/listSearch";
import type { ListSearch } from "@/lib/listSearch";
import { useOrganization } from "@/lib/organization";

import type { JsonObject } from "./model/json";

export type Problem = Schemas["CheckOut"]["errors"][number];

const PAUSE_MS = 350;

export function useSchemaList(search: ListSearch) {
  const { id } = useOrganization();
  const query = toQuery(search);
  return useQuery({
    queryKey: [...keys.schemas(id), query],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/schemas", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
  });
}

/** Which prompts use a schema now, by the schema's id. */
export function useUsers(): ReadonlyMap<string, Prompt[]> | null {
  const { data } = useAllPrompts();
  return useMemo(() => {
    if (!data) return null;
    const users = new Map<string, Prompt[]>();
    for (const prompt of data) {
      if (prompt.schema_id) users.set(prompt.schema_id, [...(users.get(prompt.schema_id) ?? []), prompt]);
    }
    return users;
  }, [data]);
}

/** Make a schema, or a new version of one. */
export function useSaveSchema(schemaId: string | null) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; response_format: JsonObject }) => {
      const sent = body as Schemas["SchemaIn"];
      if (schemaId === null) {
        return ask(
          api.POST("/v0/orgs/{organization_id}/schemas", { params: { path: { organization_id: id } }, body: sent }),
        );
      }
      return ask(
        api.PUT("/v0/orgs/{organization_id}/schemas/{schema_id}", {
          params: { path: { organization_id: id, schema_id: schemaId } },
          body: sent,
        }),
      );
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.schemas(id) }),
  });
}

export function useDeleteSchema() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (schemaId: string) =>
      ask(
        api.DELETE("/v0/orgs/{organization_id}/schemas/{schema_id}", {
          params: { path: { organization_id: id, schema_id: schemaId } },
        }),
      ),
    // What was deleted is still on the page for a moment: asking for it again would only be refused.
    onSuccess: (_, schemaId) =>
      queryClient.invalidateQueries({
        queryKey: keys.schemas(id),
        predicate: (query) => !query.queryKey.includes(schemaId),
      }),
  });
}

/** The strict check of what is being edited, a moment after the last change. Keeps the last answer until the next. */
export function useCheck(format: JsonObject) {
  const { id } = useOrganization();
  const text = JSON.stringify(format);
  const settled = useSettled(text);
  return useQuery({
    queryKey: [id, "schema-check", settled],
    queryFn: () =>
      ask(
        api.POST("/v0/orgs/{organization_id}/schemas/check", {
          params: { path: { organization_id: id } },
          body: { response_format: JSON.parse(settled) as unknown },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** Does this data fit the saved version of a schema? */
export function useValidation(schemaRevid: string, data: unknown) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "schema-validation", schemaRevid, data],
    queryFn: () =>
      ask(
        api.POST("/v0/orgs/{organization_id}/schemas/{schema_revid}/validate", {
          params: { path: { organization_id: id, schema_revid: schemaRevid } },
          body: { data },
        }),
      ),
    enabled: data !== undefined,
  });
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
