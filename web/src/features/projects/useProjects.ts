import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { LIST_SIZE } from "@/lib/listSearch";
import { useOrganization } from "@/lib/organization";

/** Projects whose name holds the search text, last changed first. */
export function useProjectList({ find, page }: { find: string; page: number }) {
  const { id } = useOrganization();
  const query = { search: find || undefined, skip: (page - 1) * LIST_SIZE, limit: LIST_SIZE };
  return useQuery({
    queryKey: [...keys.projects(id), query],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/projects", { params: { path: { organization_id: id }, query } })),
    placeholderData: keepPreviousData,
  });
}

export function useCreateProject() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<Schemas["ProjectIn"], "name" | "description">) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects", {
          params: { path: { organization_id: id } },
          body: { ...body, standing_instruction: "" },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.projects(id) }),
  });
}

export function useProjectChanges(projectId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = { organization_id: id, project_id: projectId };
  const refreshLists = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.projects(id) });
  const change = useMutation({
    mutationFn: (body: Schemas["ProjectChangeIn"]) =>
      ask(api.PUT("/v0/orgs/{organization_id}/projects/{project_id}", { params: { path }, body })),
    onSuccess: async (project) => {
      queryClient.setQueryData(keys.project(id, projectId), project);
      await refreshLists();
    },
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/orgs/{organization_id}/projects/{project_id}", { params: { path } })),
    onSuccess: () => Promise.all([refreshLists(), queryClient.invalidateQueries({ queryKey: keys.inbox(id) })]),
  });
  return { change, remove };
}
