import { EmptyState } from "@/components/Notes";

import { NameForm } from "./NameForm";
import { useCreateDocument } from "./useLivingChanges";
import { useOpen } from "./useOpen";

/** What a new project shows in place of a text. */
export function NoDocuments({ projectId }: { projectId: string }) {
  const create = useCreateDocument(projectId);
  const { open } = useOpen();
  return (
    <EmptyState title="Create the first document, or ask the agent for one.">
      <NameForm
        label="Name of the first document"
        placeholder="Such as Plan"
        submit="Create document"
        busy="Creating"
        autoFocus={false}
        className="w-full max-w-sm justify-center"
        onSubmit={async (name) => {
          const made = await create.mutateAsync(name);
          open({ document: made.id, view: "edit" });
        }}
      />
    </EmptyState>
  );
}
