import { History, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem } from "@/components/Menu";
import { ErrorNote, Loading } from "@/components/Notes";
import { useEvidence, useProjectDocuments } from "@/lib/api/projects";
import type { LivingEntry, Project } from "@/lib/api/projects";
import { staleIn } from "@/lib/citations";
import { useCommands } from "@/lib/commands";
import { useShortcut } from "@/lib/shortcuts";
import { toast } from "@/lib/toasts";

import { DeletedList } from "./DeletedList";
import { DocumentItem } from "./DocumentItem";
import { EditableText } from "./EditableText";
import { NameForm } from "./NameForm";
import { useBringBackDocument, useDeletedDocuments } from "./useDeleted";
import { useCreateDocument } from "./useLivingChanges";
import { useOpen } from "./useOpen";
import { useProjectChanges } from "./useProjects";

/** The left pane: what the project is about, and its documents. */
export function DocumentList({ project }: { project: Project }) {
  const { data: entries, error, refetch } = useProjectDocuments(project.id);
  const { data: evidence } = useEvidence(project.id);
  const { document, open } = useOpen();
  const create = useCreateDocument(project.id);
  const bringBack = useBringBackDocument(project.id);
  const [isCreating, setIsCreating] = useState(false);
  const [showsDeleted, setShowsDeleted] = useState(false);
  const deleted = (entry: LivingEntry): void => {
    toast(`${entry.name} is deleted.`, { label: "Undo", run: () => bringBack.mutate(entry) });
    if (entry.id === document) open({ document: null }, { itself: true });
  };
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: "Create a document", group: "Project" }, begin);
  useCommands([
    { id: "project.document.create", label: "Create a document in this project", keys: "n", run: begin },
    { id: "project.document.deleted", label: "Show the deleted documents of this project", run: () => setShowsDeleted(true) },
    ...(entries ?? []).map((entry) => ({
      id: `project.document.${entry.id}`,
      label: `Open ${entry.name}`,
      group: project.name,
      run: () => open({ document: entry.id }),
    })),
  ]);
  return (
    <section data-scrolls aria-label="Documents of the project" className="flex h-full min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
      <About project={project} />
      <div className="flex items-center justify-between px-3 pt-2">
        <h2 className="text-sm text-muted">Documents</h2>
        <span className="flex">
          <IconButton small icon={Plus} label="Create a document" onClick={begin} />
          <Menu align="end" trigger={<IconButton small icon={MoreHorizontal} label="More for the documents" />}>
            <MenuItem icon={History} onSelect={() => setShowsDeleted(true)}>
              Show deleted documents
            </MenuItem>
          </Menu>
        </span>
      </div>
      {bringBack.error && (
        <ErrorNote
          className="mx-3 my-1"
          what={`${bringBack.variables.name} is not back.`}
          error={bringBack.error}
          onDismiss={() => bringBack.reset()}
        />
      )}
      {showsDeleted && (
        <div className="px-3 py-1">
          <DeletedDocuments projectId={project.id} bringBack={bringBack} onClose={() => setShowsDeleted(false)} />
        </div>
      )}
      {isCreating && (
        <NameForm
          label="Name of the new document"
          placeholder="Such as Plan"
          submit="Create"
          busy="Creating"
          className="px-3 py-1"
          onSubmit={async (name) => {
            const made = await create.mutateAsync(name);
            setIsCreating(false);
            open({ document: made.id, view: "edit" });
          }}
          onCancel={() => setIsCreating(false)}
        />
      )}
      {error && <ErrorNote className="mx-3" what="The documents cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <Loading what="the documents" />}
      {entries?.length === 0 && !isCreating && <p className="px-3 py-2 text-sm text-muted">There are none yet.</p>}
      <ul aria-label="Documents" className="flex flex-col gap-px px-1.5 py-1">
        {entries?.map((entry) => (
          <DocumentItem key={entry.id} entry={entry} stale={staleIn(evidence?.get(entry.id)).length} isOpen={entry.id === document} onDeleted={() => deleted(entry)} />
        ))}
      </ul>
    </section>
  );
}

interface DeletedDocumentsProps {
  projectId: string;
  bringBack: ReturnType<typeof useBringBackDocument>;
  onClose: () => void;
}

function DeletedDocuments({ projectId, bringBack, onClose }: DeletedDocumentsProps) {
  return <DeletedList what="documents" list={useDeletedDocuments(projectId)} bringBack={bringBack} onClose={onClose} />;
}

function About({ project }: { project: Project }) {
  const { change } = useProjectChanges(project.id);
  return (
    <div className="border-b px-2 py-1.5">
      <EditableText
        title="About"
        value={project.description}
        none="not described"
        hint="What the project is about. You and the agent read it."
        draft={`project.${project.id}.description`}
        onSave={(description) => change.mutateAsync({ description })}
      />
      <EditableText
        title="Instruction"
        value={project.standing_instruction}
        none="none"
        hint="What the agent keeps to in every document here, such as “Write in short sentences”."
        draft={`project.${project.id}.instruction`}
        onSave={(standing_instruction) => change.mutateAsync({ standing_instruction })}
      />
    </div>
  );
}
