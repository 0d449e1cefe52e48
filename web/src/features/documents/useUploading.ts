import { useCallback, useState } from "react";

import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { upload, useUploads } from "./uploads";
import { useAutoCreate } from "./useAutoCreate";
import { useRefreshDocuments } from "./useDocuments";

/** Sending files: what is on its way, and what happens to those that are sent now. */
export function useUploading() {
  const { id } = useOrganization();
  const { data: tags = [] } = useTags();
  const refresh = useRefreshDocuments();
  const uploads = useUploads(id);
  const [tagIds, setTagIds] = useState<string[]>([]);
  const [autoCreate, setAutoCreate] = useAutoCreate();
  const send = useCallback(
    (files: File[]) => upload(id, files, { tagIds, autoCreate }, () => void refresh()),
    [id, tagIds, autoCreate, refresh],
  );
  const names = tags.filter((tag) => tagIds.includes(tag.id)).map((tag) => tag.name);
  const notes = names.length ? [t("documents.theyGetTheTagsTagNames", { tagNames: names.join(", ") })] : [];
  if (autoCreate) notes.push(t("documents.theAgentProposesASchemaAnd"));
  return { uploads, send, notes, tagIds, setTagIds, autoCreate, setAutoCreate, refresh: () => void refresh() };
}
