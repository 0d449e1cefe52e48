import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useShortcut } from "@/lib/shortcuts";

import { TagForm } from "./TagForm";
import { TagRow } from "./TagRow";

export default function TagsPage() {
  const { data: tags, error, refetch } = useTags();
  const createTag = useCreateTag();
  const [isCreating, setIsCreating] = useState(false);
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: t("tags.createATag"), group: t("common.tags") }, begin);
  useCommands([{ id: "tags.create", label: t("tags.createATag"), keys: "n", run: begin }]);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3">
      <PageHeader title={t("common.tags")}>
        {!isCreating && (
          <Button variant="primary" icon={Plus} onClick={begin}>
            {t("tags.createTag")}
          </Button>
        )}
      </PageHeader>
      <p className="text-muted">
        {t("tags.aPromptRunsOnEveryDocument")}
      </p>
      {isCreating && (
        <div className="rounded-lg border bg-surface p-3">
          <TagForm
            submit={t("tags.createTag")}
            busy={t("common.creating")}
            onSubmit={async (values) => {
              await createTag.mutateAsync(values);
              setIsCreating(false);
            }}
            onCancel={() => setIsCreating(false)}
          />
        </div>
      )}
      {error && <ErrorNote what={t("tags.theTagsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!tags && !error && <Loading what={t("tags.yourTags")} />}
      {tags?.length === 0 && !isCreating && (
        <EmptyState title={t("tags.thereAreNoTagsYetCreate")} />
      )}
      {tags && tags.length > 0 && (
        <ul aria-label={t("common.tags")} className="divide-y rounded-lg border bg-surface">
          {tags.map((tag) => (
            <TagRow key={tag.id} tag={tag} />
          ))}
        </ul>
      )}
    </div>
  );
}
