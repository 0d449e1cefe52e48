import { Plus } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Popover } from "@/components/Popover";
import { TagChip } from "@/components/TagChip";
import { TagPicker } from "@/components/TagPicker";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";

interface DocumentTagsProps {
  tagIds: string[];
  onChange: (tagIds: string[]) => void;
}

export function DocumentTags({ tagIds, onChange }: DocumentTagsProps) {
  const { data: tags = [] } = useTags();
  const createTag = useCreateTag();
  return (
    <div role="group" aria-label={t("common.tags")} className="flex flex-wrap items-center gap-1">
      {tags
        .filter((tag) => tagIds.includes(tag.id))
        .map((tag) => (
          <TagChip key={tag.id} name={tag.name} color={tag.color} onRemove={() => onChange(tagIds.filter((id) => id !== tag.id))} />
        ))}
      <Popover label={t("document.tagsOfTheDocument")} trigger={<IconButton small icon={Plus} label={t("document.addATag")} className="text-muted" />}>
        <TagPicker
          tags={tags}
          selected={tagIds}
          onChange={onChange}
          onCreate={async (name) => (await createTag.mutateAsync({ name })).id}
        />
      </Popover>
    </div>
  );
}
