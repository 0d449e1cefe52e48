import { useMutation, useQueryClient } from "@tanstack/react-query";

import { authorised } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { apiError } from "@/lib/api/errors";
import { keys } from "@/lib/api/queries";
import { bodyOf } from "@/lib/api/session";
import { useOrganization } from "@/lib/organization";

import type { PathedFile } from "./files";

export type Import = Schemas["ImportOut"];
export type ImportedFile = Schemas["ImportedFileOut"];
export type Existing = "version" | "skip";

/** Files are looked at first, and then imported as they were seen. */
export function useImport(projectId: string) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const send = async (files: PathedFile[], query: Record<string, string>): Promise<Import> => {
    const form = new FormData();
    for (const { path, file } of files) form.append("file", file, path);
    const address = new URL(`/v0/orgs/${id}/projects/${projectId}/import`, location.origin);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const answer = await authorised(address.href, { method: "POST", body: form });
    const body = await bodyOf(answer);
    if (!answer.ok) throw apiError(answer.status, body);
    return body as Import;
  };
  const look = useMutation({ mutationFn: (files: PathedFile[]) => send(files, { dry_run: "true" }) });
  const bringIn = useMutation({
    mutationFn: ({ files, existing, seen }: { files: PathedFile[]; existing: Existing; seen: string }) => send(files, { existing, seen }),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: keys.projects(id) });
      await queryClient.invalidateQueries({ queryKey: keys.project(id, projectId) });
    },
  });
  return { look, bringIn };
}
