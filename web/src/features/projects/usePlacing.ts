import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";

export interface Placing {
  way: "move" | "copy";
  from: string;
  document: string;
  to: string;
  /** Left out, the document keeps its name. */
  name?: string;
}

/** Moves or copies a document to a project. */
export function usePlacing() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ way, from, document, to, name }: Placing) => {
      const params = { path: { organization_id: id, project_id: from, living_document_id: document } };
      const body = { project_id: to, name };
      return ask(
        way === "move"
          ? api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/move", { params, body })
          : api.POST("/v0/orgs/{organization_id}/projects/{project_id}/documents/{living_document_id}/copy", { params, body }),
      );
    },
    onSuccess: async (_, { from, to }) => {
      void queryClient.invalidateQueries({ queryKey: keys.projects(id) });
      void queryClient.invalidateQueries({ queryKey: keys.project(id, to) });
      await queryClient.invalidateQueries({ queryKey: keys.project(id, from) });
    },
  });
}
