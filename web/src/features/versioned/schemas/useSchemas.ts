import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, ask } from "@/lib/api/client";
import { useAllPrompts } from "@/lib/api/prompts";
import type { Prompt } from "@/lib/api/prompts";
import { useOrganization } from "@/lib/organization";
import type { JsonObject } from "@/lib/schema/json";
import { useSettled } from "@/lib/settled";


const PAUSE_MS = 350;

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

/** The strict check of what is being edited, a moment after the last change. Keeps the last answer until the next. */
export function useCheck(format: JsonObject) {
  const { id } = useOrganization();
  const text = JSON.stringify(format);
  const settled = useSettled(text, PAUSE_MS);
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
