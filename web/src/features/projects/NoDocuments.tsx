import { EmptyState } from "@/components/Notes";
import { t } from "@/lib/i18n";

import { NameForm } from "./NameForm";
import { useCreateDocument } from "./useLivingChanges";
import { useOpen } from "./useOpen";

/** What a new project shows in place of a text. */
export function NoDocuments({ projectId }: { projectId: string }) {
  const create = useCreateDocument(projectId);
  const { open } = useOpen();
  return (
    <EmptyState title={t("projects.createTheFirstDocumentOrAsk")}>
      <NameForm
        label={t("projects.nameOfTheFirstDocument")}
        placeholder={t("projects.suchAsPlan")}
        submit={t("projects.createDocument")}
        busy={t("common.creating")}
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
