import { Plus } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Popover } from "@/components/Popover";
import { TagChip } from "@/components/TagChip";
import { TagPicker } from "@/components/TagPicker";
import { useCreateTag } from "@/lib/api/tags";
import type { Tag } from "@/lib/api/tags";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

interface RowTagsProps {
  document: Document;
  tags: Tag[];
  /** Resolves when the list shows the change, or when it failed. */
  onChange: (tagIds: string[]) => Promise<unknown>;
}

/** The tags of a document. They are chosen in a popover and stored when it closes. */
export function RowTags({ document, tags, onChange }: RowTagsProps) {
  const createTag = useCreateTag();
  const [chosen, setChosen] = useState<string[] | null>(null);
  const shown = chosen ?? document.tag_ids;
  const close = (): void => {
    const isChanged = chosen !== null && [...chosen].sort().join() !== [...document.tag_ids].sort().join();
    if (isChanged) void onChange(chosen).finally(() => setChosen(null));
    else setChosen(null);
  };
  return (
    <div className="flex max-w-64 flex-wrap items-center gap-1">
      {tags
        .filter((tag) => shown.includes(tag.id))
        .map((tag) => (
          <TagChip key={tag.id} name={tag.name} color={tag.color} />
        ))}
      <Popover
        label={t("documents.tagsOfDocumentName", { documentName: document.document_name })}
        onOpenChange={(open) => (open ? setChosen(document.tag_ids) : close())}
        trigger={<IconButton small icon={Plus} label={t("documents.tagDocumentName", { documentName: document.document_name })} className="size-6 text-muted" />}
      >
        <TagPicker
          tags={tags}
          selected={shown}
          onChange={setChosen}
          onCreate={async (name) => (await createTag.mutateAsync({ name })).id}
        />
      </Popover>
    </div>
  );
}
