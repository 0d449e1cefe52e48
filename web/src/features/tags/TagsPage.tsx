import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { useCommands } from "@/lib/commands";
import { useShortcut } from "@/lib/shortcuts";

import { TagForm } from "./TagForm";
import { TagRow } from "./TagRow";

export default function TagsPage() {
  const { data: tags, error, refetch } = useTags();
  const createTag = useCreateTag();
  const [isCreating, setIsCreating] = useState(false);
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: "Create a tag", group: "Tags" }, begin);
  useCommands([{ id: "tags.create", label: "Create a tag", keys: "n", run: begin }]);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3">
      <PageHeader title="Tags">
        {!isCreating && (
          <Button variant="primary" icon={Plus} onClick={begin}>
            Create tag
          </Button>
        )}
      </PageHeader>
      <p className="text-muted">
        A prompt runs on every document that shares a tag with it; forms find their documents in the same way.
      </p>
      {isCreating && (
        <div className="rounded-lg border bg-surface p-3">
          <TagForm
            submit="Create tag"
            busy="Creating"
            onSubmit={async (values) => {
              await createTag.mutateAsync(values);
              setIsCreating(false);
            }}
            onCancel={() => setIsCreating(false)}
          />
        </div>
      )}
      {error && <ErrorNote what="The tags cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!tags && !error && <Loading what="your tags" />}
      {tags?.length === 0 && !isCreating && (
        <EmptyState title="There are no tags yet. Create one to connect documents with prompts." />
      )}
      {tags && tags.length > 0 && (
        <ul aria-label="Tags" className="divide-y rounded-lg border bg-surface">
          {tags.map((tag) => (
            <TagRow key={tag.id} tag={tag} />
          ))}
        </ul>
      )}
    </div>
  );
}
