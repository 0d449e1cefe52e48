import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Tag = Schemas["TagOut"];

const PAGE = 100;

/** All tags of the organisation, by name; cached, and shared by every page that shows or picks tags. */
export function useTags() {
  const { id } = useOrganization();
  return useQuery({ queryKey: keys.tags(id), queryFn: () => allTags(id), staleTime: 30_000 });
}

/** Make a tag from its name alone, as the tag pickers do. */
export function useCreateTag() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["TagIn"]) =>
      ask(api.POST("/v0/orgs/{organization_id}/tags", { params: { path: { organization_id: id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tags(id) }),
  });
}

async function allTags(organizationId: string): Promise<Tag[]> {
  const tags: Tag[] = [];
  for (;;) {
    const found = await ask(
      api.GET("/v0/orgs/{organization_id}/tags", {
        params: { path: { organization_id: organizationId }, query: { skip: tags.length, limit: PAGE } },
      }),
    );
    tags.push(...found.tags);
    if (!found.tags.length || tags.length >= found.total_count) break;
  }
  return tags.sort((a, b) => a.name.localeCompare(b.name));
}
