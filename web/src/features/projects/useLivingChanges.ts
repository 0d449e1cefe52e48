import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { versionKey } from "@/lib/api/projects";
import type { LivingDocument, LivingEntry } from "@/lib/api/projects";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";

/** All versions of a document up to the one in the list, the newest first, without their texts. */
export function useHistory({ project_id: projectId, id: documentId, version }: LivingEntry) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, "living-history", documentId, version],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/versions", {
            params: { path: { organization_id: id, project_id: projectId, living_document_id: documentId } },
          }),
        )
      ).versions,
    placeholderData: (before) => (before?.[0]?.id === documentId ? before : undefined),
  });
}

/** A new version is known at once; then the lists are fetched again. */
function useRefreshed(projectId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return async (made?: LivingDocument): Promise<void> => {
    if (made) queryClient.setQueryData(versionKey(id, { projectId, documentId: made.id, version: made.version }), made);
    void queryClient.invalidateQueries({ queryKey: keys.projects(id) });
    await queryClient.invalidateQueries({ queryKey: keys.project(id, projectId) });
  };
}

export function useCreateDocument(projectId: string) {
  const { id } = useOrganization();
  const refresh = useRefreshed(projectId);
  return useMutation({
    mutationFn: (name: string) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents", {
          params: { path: { organization_id: id, project_id: projectId } },
          body: { name, content: "", standing_instruction: "", reason: "" },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useLivingChanges(projectId: string, documentId: string) {
  const { id } = useOrganization();
  const refresh = useRefreshed(projectId);
  const path = { organization_id: id, project_id: projectId, living_document_id: documentId };
  const change = useMutation({
    mutationFn: (body: Partial<Schemas["LivingDocumentChangeIn"]>) =>
      ask(
        api.PUT("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}", {
          params: { path },
          body: { reason: "", ...body },
        }),
      ),
    onSuccess: refresh,
    // What somebody else saved meanwhile is the likeliest reason.
    onError: () => refresh(),
  });
  const restore = useMutation({
    mutationFn: (body: { version: number; base_version: number }) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/restore", {
          params: { path },
          body: { reason: "", ...body },
        }),
      ),
    onSuccess: refresh,
    onError: () => refresh(),
  });
  const update = useMutation({
    mutationFn: (body: { base_version: number }) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/evidence/update", {
          params: { path },
          body,
        }),
      ),
    onSuccess: refresh,
    onError: () => refresh(),
  });
  const remove = useMutation({
    mutationFn: () =>
      ask(api.DELETE("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}", { params: { path } })),
    onSuccess: () => refresh(),
  });
  return { change, restore, update, remove };
}
