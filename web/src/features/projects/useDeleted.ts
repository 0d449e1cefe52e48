import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { toast } from "@/lib/toasts";

export type Deleted = Schemas["DeletedThingOut"];
export type Named = Pick<Deleted, "id" | "name">;

export function useDeletedProjects() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.projects(id), "deleted"],
    queryFn: async () =>
      (await ask(api.GET("/v0/orgs/{organization_id}/projects/deleted", { params: { path: { organization_id: id } } }))).deleted,
  });
}

export function useDeletedDocuments(projectId: string) {
  const { id } = useOrganization();
  const path = { organization_id: id, project_id: projectId };
  return useQuery({
    queryKey: [...keys.project(id, projectId), "deleted"],
    queryFn: async () => (await ask(api.GET("/v0/orgs/{organization_id}/projects/{project_id}/deleted", { params: { path } }))).deleted,
  });
}

export function useBringBackProject() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id: project }: Named) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects/{project_id}/undelete", {
          params: { path: { organization_id: id, project_id: project } },
        }),
      ),
    onSuccess: async ({ name }) => {
      toast(t("projects.nameIsBack", { name }));
      void queryClient.invalidateQueries({ queryKey: keys.inbox(id) });
      await queryClient.invalidateQueries({ queryKey: keys.projects(id) });
    },
  });
}

export function useBringBackDocument(projectId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id: document }: Named) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/undelete", {
          params: { path: { organization_id: id, project_id: projectId, living_document_id: document } },
        }),
      ),
    onSuccess: async ({ name }) => {
      toast(t("projects.nameIsBack", { name }));
      void queryClient.invalidateQueries({ queryKey: keys.projects(id) });
      await queryClient.invalidateQueries({ queryKey: keys.project(id, projectId) });
    },
  });
}
