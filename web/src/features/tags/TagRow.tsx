import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { TagDot } from "@/components/TagChip";
import type { Tag } from "@/lib/api/tags";
import { t } from "@/lib/i18n";

import { TagForm } from "./TagForm";
import { useChangeTag, useDeleteTag } from "./useTagChanges";


/** One tag: its name and what it is for; edited and deleted in its place. */
export function TagRow({ tag }: { tag: Tag }) {
  const [doing, setDoing] = useState<"editing" | "deleting" | null>(null);
  const change = useChangeTag();
  const remove = useDeleteTag();
  if (doing === "editing") {
    return (
      <li className="p-3">
        <TagForm
          initial={tag}
          submit={t("tags.saveTag")}
          busy={t("common.saving")}
          onSubmit={async (values) => {
            await change.mutateAsync({ id: tag.id, values });
            setDoing(null);
          }}
          onCancel={() => setDoing(null)}
        />
      </li>
    );
  }
  return (
    <li className="flex flex-col gap-2 px-3 py-1.5">
      <div className="flex min-h-8 items-center gap-3">
        <TagDot color={tag.color} />
        <div className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
          <span className="block truncate font-medium">{tag.name}</span>
          {tag.description && <span className="block truncate text-sm text-muted">{tag.description}</span>}
        </div>
        <span className="text-sm text-muted max-sm:hidden">
          <RelativeTime date={tag.created_at} />
        </span>
        <div className="flex">
          <IconButton small icon={Pencil} label={t("tags.editName", { name: tag.name })} onClick={() => setDoing("editing")} />
          <IconButton small icon={Trash2} label={t("common.deleteName2", { name: tag.name })} onClick={() => setDoing("deleting")} />
        </div>
      </div>
      {doing === "deleting" && !remove.error && (
        <div role="group" aria-label={t("common.deleteName", { name: tag.name })} className="flex flex-wrap items-center gap-2">
          <span>{t("tags.deleteTheTagName", { name: tag.name })}</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && t("common.deleting")} onClick={() => remove.mutate(tag.id)}>
            {t("tags.deleteTag")}
          </Button>
          <Button small variant="quiet" onClick={() => setDoing(null)}>
            {t("common.keep")}
          </Button>
        </div>
      )}
      {remove.error && (
        <ErrorNote
          what={t("tags.theTagIsStillHere")}
          error={remove.error}
          onDismiss={() => {
            remove.reset();
            setDoing(null);
          }}
        />
      )}
    </li>
  );
}
