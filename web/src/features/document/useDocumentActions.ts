import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";

/** What can be done to the document that is open. Every change is seen in the lists as well. */
export function useDocumentActions(documentId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = { organization_id: id, document_id: documentId };
  const onSuccess = async (): Promise<void> => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.document(id, documentId) }),
      queryClient.invalidateQueries({ queryKey: keys.documents(id) }),
      queryClient.invalidateQueries({ queryKey: keys.prompts(id) }),
    ]);
  };
  const change = useMutation({
    ...inOrder(`document ${documentId}`),
    mutationFn: (body: { document_name?: string; tag_ids?: string[] }) =>
      ask(api.PUT("/v0/orgs/{organization_id}/documents/{document_id}", { params: { path }, body })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/orgs/{organization_id}/documents/{document_id}", { params: { path } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.documents(id) }),
  });
  const readAgain = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/ocr/run/{document_id}", { params: { path } })),
    onSuccess,
  });
  const givePassword = useMutation({
    mutationFn: (password: string) =>
      ask(api.POST("/v0/orgs/{organization_id}/documents/{document_id}/password", { params: { path }, body: { password } })),
    onSuccess,
  });
  return { change, remove, readAgain, givePassword };
}
