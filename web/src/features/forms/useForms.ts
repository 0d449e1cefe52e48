import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";

import type { Component } from "./formio";

export type Form = Schemas["FormOut"];
export type FormFormat = Schemas["FormFormat"];

const PAGE = 100;

/** The newest version of every form. */
export function useForms() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: keys.forms(id),
    queryFn: async () => {
      const forms: Form[] = [];
      for (;;) {
        const found = await ask(
          api.GET("/v0/orgs/{organization_id}/forms", { params: { path: { organization_id: id }, query: { skip: forms.length, limit: PAGE } } }),
        );
        forms.push(...found.forms);
        if (!found.forms.length || forms.length >= found.total_count) return forms;
      }
    },
  });
}

export function useFormVersions(formId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.forms(id), "versions", formId],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/forms/{form_id}/versions", { params: { path: { organization_id: id, form_id: formId ?? "" } } }),
      );
      return found.forms;
    },
    enabled: formId !== null,
  });
}

interface Draft {
  name: string;
  response_format: FormFormat;
  tag_ids: string[];
}

export function useSaveForm(formId: string | null) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Draft) =>
      formId === null
        ? ask(api.POST("/v0/orgs/{organization_id}/forms", { params: { path: { organization_id: id } }, body }))
        : ask(api.PUT("/v0/orgs/{organization_id}/forms/{form_id}", { params: { path: { organization_id: id, form_id: formId } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.forms(id) }),
  });
}

export function useDeleteForm() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (formId: string) =>
      ask(api.DELETE("/v0/orgs/{organization_id}/forms/{form_id}", { params: { path: { organization_id: id, form_id: formId } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.forms(id) }),
  });
}

/** What was filled in for a document; null when nothing was. */
export function useSubmission(documentId: string, formRevid: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const key = [id, "submission", documentId, formRevid];
  const path = { organization_id: id, document_id: documentId };
  const submission = useQuery({
    queryKey: key,
    queryFn: () =>
      ask(api.GET("/v0/orgs/{organization_id}/forms/submissions/{document_id}", { params: { path, query: { form_revid: formRevid } } })),
  });
  const submit = useMutation({
    mutationFn: (data: Record<string, unknown>) =>
      ask(
        api.POST("/v0/orgs/{organization_id}/forms/submissions/{document_id}", {
          params: { path },
          body: { form_revid: formRevid, submission_data: data },
        }),
      ),
    onSuccess: (stored) => queryClient.setQueryData(key, stored),
  });
  const remove = useMutation({
    mutationFn: () =>
      ask(api.DELETE("/v0/orgs/{organization_id}/forms/submissions/{document_id}", { params: { path, query: { form_revid: formRevid } } })),
    onSuccess: () => queryClient.setQueryData(key, null),
  });
  return { submission, submit, remove };
}

export function componentsOf(format: FormFormat): Component[] {
  return (format.json_formio ?? []) as unknown as Component[];
}
