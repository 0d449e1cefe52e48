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
import { t } from "@/lib/i18n";
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
    toast(t("projects.nameIsDeleted", { name: entry.name }), { label: t("common.undo"), run: () => bringBack.mutate(entry) });
    if (entry.id === document) open({ document: null }, { itself: true });
  };
  const moved = (entry: LivingEntry, back: Placing, to: string): void => {
    toast(t("projects.nameIsInToNow", { name: entry.name, to }), { label: t("common.undo"), run: () => moveBack.mutate(back) });
    if (entry.id === document) open({ document: null }, { itself: true });
  };
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: t("projects.createADocument"), group: t("common.project") }, begin);
  useCommands([
    { id: "project.document.create", label: t("projects.createADocumentInThisProject"), keys: "n", run: begin },
    { id: "project.import.files", label: t("projects.importFilesIntoThisProject"), words: t("projects.uploadMarkdownZip"), run: files.chooseFiles },
    { id: "project.import.folder", label: t("projects.importAFolderIntoThisProject"), words: t("projects.uploadMarkdown"), run: files.chooseFolder },
    { id: "project.export", label: t("projects.exportThisProjectAsAZip"), words: t("projects.downloadWords"), run: files.exportAll },
    { id: "project.document.deleted", label: t("projects.showTheDeletedDocumentsOfThis"), run: () => setShowsDeleted(true) },
    ...(entries ?? []).map((entry) => ({
      id: `project.document.${entry.id}`,
      label: t("common.openName", { name: entry.name }),
      group: project.name,
      run: () => open({ document: entry.id }),
    })),
  ]);
  return (
    <DropFiles
      className="flex h-full min-h-0 flex-1 flex-col"
      onFiles={files.take}
      onFailed={(error) => files.setProblem({ what: t("projects.whatWasDroppedCannotBeRead"), error })}
    >
      <section data-scrolls aria-label={t("projects.documentsOfTheProject")} className="flex h-full min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
        <About project={project} />
        <div className="flex items-center justify-between px-3 pt-2">
          <h2 className="text-sm text-muted">{t("common.documents")}</h2>
          <span className="flex">
            <IconButton small icon={Plus} label={t("projects.createADocument")} onClick={begin} />
            <Menu align="end" trigger={<IconButton small icon={MoreHorizontal} label={t("projects.moreForTheDocuments")} />}>
              <MenuItem icon={FileInput} onSelect={files.chooseFiles}>
                {t("projects.importFiles")}
              </MenuItem>
              <MenuItem icon={FolderInput} onSelect={files.chooseFolder}>
                {t("projects.importAFolder")}
              </MenuItem>
              <MenuItem icon={Download} onSelect={files.exportAll}>
                {t("projects.exportAsZip")}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={History} onSelect={() => setShowsDeleted(true)}>
                {t("projects.showDeletedDocuments")}
              </MenuItem>
            </Menu>
          </span>
        </div>
        <div className="px-3 py-1">
          <SearchField label={t("projects.findInThisProject")} group={t("common.project")} value={find} onFind={setFind} className="text-sm" />
        </div>
        {files.problem && <ErrorNote className="mx-3 my-1" {...files.problem} onDismiss={() => files.setProblem(null)} />}
        {moveBack.error && <ErrorNote className="mx-3 my-1" what={t("projects.itWasNotMovedBack")} error={moveBack.error} onDismiss={() => moveBack.reset()} />}
        {bringBack.error && (
          <ErrorNote
            className="mx-3 my-1"
            what={t("projects.nameIsNotBack", { name: bringBack.variables.name })}
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
            label={t("projects.nameOfTheNewDocument")}
            placeholder={t("projects.suchAsPlan")}
            submit={t("projects.create")}
            busy={t("common.creating")}
            className="px-3 py-1"
            onSubmit={async (name) => {
              const made = await create.mutateAsync(name);
              setIsCreating(false);
              open({ document: made.id, view: "edit" });
            }}
            onCancel={() => setIsCreating(false)}
          />
        )}
        {error && <ErrorNote className="mx-3" what={t("projects.theDocumentsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
        {!entries && !error && <Loading what={t("projects.theDocuments")} />}
        {entries?.length === 0 && !isCreating && <p className="px-3 py-2 text-sm text-muted">{t("projects.thereAreNoneYet")}</p>}
        {find && shown?.length === 0 && <p className="px-3 py-2 text-sm text-muted">{t("projects.noNameHasFindInIt", { find })}</p>}
        <ul aria-label={t("common.documents")} className="flex flex-col gap-px px-1.5 py-1">
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
  return <DeletedList what={t("common.documents2")} list={useDeletedDocuments(projectId)} bringBack={bringBack} onClose={onClose} />;
}

function About({ project }: { project: Project }) {
  const { change } = useProjectChanges(project.id);
  return (
    <div className="border-b px-2 py-1.5">
      <EditableText
        title={t("projects.about")}
        value={project.description}
        none={t("projects.notDescribed")}
        hint={t("projects.whatTheProjectIsAboutYou")}
        draft={`project.${project.id}.description`}
        onSave={(description) => change.mutateAsync({ description })}
      />
      <EditableText
        title={t("common.instruction")}
        value={project.standing_instruction}
        none={t("common.none")}
        hint={t("projects.whatTheAgentKeepsToIn")}
        draft={`project.${project.id}.instruction`}
        onSave={(standing_instruction) => change.mutateAsync({ standing_instruction })}
      />
    </div>
  );
}
