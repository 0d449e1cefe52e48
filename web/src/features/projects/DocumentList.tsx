import { Download, FileInput, FolderInput, History, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuSeparator } from "@/components/Menu";
import { ErrorNote, Loading } from "@/components/Notes";
import { SearchField } from "@/components/SearchField";
import { useEvidence, useProjectDocuments } from "@/lib/api/projects";
import type { LivingEntry, Project } from "@/lib/api/projects";
import { staleIn } from "@/lib/citations";
import { useCommands } from "@/lib/commands";
import { useShortcut } from "@/lib/shortcuts";
import { toast } from "@/lib/toasts";

import { DeletedList } from "./DeletedList";
import { DocumentItem } from "./DocumentItem";
import { DropFiles } from "./DropFiles";
import { EditableText } from "./EditableText";
import { Findings } from "./Findings";
import { NameForm } from "./NameForm";
import { useBringBackDocument, useDeletedDocuments } from "./useDeleted";
import { useFiles } from "./useFiles";
import { useCreateDocument } from "./useLivingChanges";
import { useOpen } from "./useOpen";
import { usePlacing } from "./usePlacing";
import { useProjectChanges } from "./useProjects";

import type { Placing } from "./usePlacing";

/** The left pane: what the project is about, and its documents. */
export function DocumentList({ project }: { project: Project }) {
  const { data: entries, error, refetch } = useProjectDocuments(project.id);
  const { data: evidence } = useEvidence(project.id);
  const { document, open } = useOpen();
  const create = useCreateDocument(project.id);
  const bringBack = useBringBackDocument(project.id);
  const [isCreating, setIsCreating] = useState(false);
  const [showsDeleted, setShowsDeleted] = useState(false);
  const [find, setFind] = useState("");
  const files = useFiles(project);
  const moveBack = usePlacing();
  const shown = entries?.filter(({ name }) => isNamed(name, find));
  const deleted = (entry: LivingEntry): void => {
    toast(`${entry.name} is deleted.`, { label: "Undo", run: () => bringBack.mutate(entry) });
    if (entry.id === document) open({ document: null }, { itself: true });
  };
  const moved = (entry: LivingEntry, back: Placing, to: string): void => {
    toast(`${entry.name} is in ${to} now.`, { label: "Undo", run: () => moveBack.mutate(back) });
    if (entry.id === document) open({ document: null }, { itself: true });
  };
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: "Create a document", group: "Project" }, begin);
  useCommands([
    { id: "project.document.create", label: "Create a document in this project", keys: "n", run: begin },
    { id: "project.import.files", label: "Import files into this project", words: "upload markdown zip", run: files.chooseFiles },
    { id: "project.import.folder", label: "Import a folder into this project", words: "upload markdown", run: files.chooseFolder },
    { id: "project.export", label: "Export this project as a zip", words: "download", run: files.exportAll },
    { id: "project.document.deleted", label: "Show the deleted documents of this project", run: () => setShowsDeleted(true) },
    ...(entries ?? []).map((entry) => ({
      id: `project.document.${entry.id}`,
      label: `Open ${entry.name}`,
      group: project.name,
      run: () => open({ document: entry.id }),
    })),
  ]);
  return (
    <DropFiles
      className="flex h-full min-h-0 flex-1 flex-col"
      onFiles={files.take}
      onFailed={(error) => files.setProblem({ what: "What was dropped cannot be read.", error })}
    >
      <section data-scrolls aria-label="Documents of the project" className="flex h-full min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
        <About project={project} />
        <div className="flex items-center justify-between px-3 pt-2">
          <h2 className="text-sm text-muted">Documents</h2>
          <span className="flex">
            <IconButton small icon={Plus} label="Create a document" onClick={begin} />
            <Menu align="end" trigger={<IconButton small icon={MoreHorizontal} label="More for the documents" />}>
              <MenuItem icon={FileInput} onSelect={files.chooseFiles}>
                Import files…
              </MenuItem>
              <MenuItem icon={FolderInput} onSelect={files.chooseFolder}>
                Import a folder…
              </MenuItem>
              <MenuItem icon={Download} onSelect={files.exportAll}>
                Export as zip
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={History} onSelect={() => setShowsDeleted(true)}>
                Show deleted documents
              </MenuItem>
            </Menu>
          </span>
        </div>
        <div className="px-3 py-1">
          <SearchField label="Find in this project" group="Project" value={find} onFind={setFind} className="text-sm" />
        </div>
        {files.problem && <ErrorNote className="mx-3 my-1" {...files.problem} onDismiss={() => files.setProblem(null)} />}
        {moveBack.error && <ErrorNote className="mx-3 my-1" what="It was not moved back." error={moveBack.error} onDismiss={() => moveBack.reset()} />}
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
        {find && shown?.length === 0 && <p className="px-3 py-2 text-sm text-muted">No name has “{find}” in it.</p>}
        <ul aria-label="Documents" className="flex flex-col gap-px px-1.5 py-1">
          {shown?.map((entry) => (
            <DocumentItem
              key={entry.id}
              entry={entry}
              stale={staleIn(evidence?.get(entry.id)).length}
              isOpen={entry.id === document}
              onDeleted={() => deleted(entry)}
              onMoved={(back, to) => moved(entry, back, to)}
            />
          ))}
        </ul>
        {find && <Findings projectId={project.id} find={find} />}
      </section>
      {files.dialogs}
    </DropFiles>
  );
}

function isNamed(name: string, find: string): boolean {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => name.toLowerCase().includes(word));
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
