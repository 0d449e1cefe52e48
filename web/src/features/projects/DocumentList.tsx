import { Link } from "@tanstack/react-router";
import { FileText, MoreHorizontal, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem } from "@/components/Menu";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { useProjectDocuments } from "@/lib/api/projects";
import type { LivingEntry, Project } from "@/lib/api/projects";
import { useCommands } from "@/lib/commands";
import { cx } from "@/lib/cx";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { toast } from "@/lib/toasts";

import { ConfirmDelete } from "./ConfirmDelete";
import { EditableText } from "./EditableText";
import { NameForm } from "./NameForm";
import { useCreateDocument, useLivingChanges } from "./useLivingChanges";
import { useOpen } from "./useOpen";
import { useProjectChanges } from "./useProjects";
import { useWho } from "./who";

/** The left pane: what the project is about, and its documents. */
export function DocumentList({ project }: { project: Project }) {
  const { data: entries, error, refetch } = useProjectDocuments(project.id);
  const { document, open } = useOpen();
  const create = useCreateDocument(project.id);
  const [isCreating, setIsCreating] = useState(false);
  const begin = (): void => setIsCreating(true);
  useShortcut({ keys: "n", does: "Create a document", group: "Project" }, begin);
  useCommands([
    { id: "project.document.create", label: "Create a document in this project", keys: "n", run: begin },
    ...(entries ?? []).map((entry) => ({
      id: `project.document.${entry.id}`,
      label: `Open ${entry.name}`,
      group: project.name,
      run: () => open({ document: entry.id }),
    })),
  ]);
  return (
    <section aria-label="Documents of the project" className="flex h-full min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
      <About project={project} />
      <div className="flex items-center justify-between px-3 pt-2">
        <h2 className="text-sm text-muted">Documents</h2>
        <IconButton small icon={Plus} label="Create a document" onClick={begin} />
      </div>
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
          <DocumentItem key={entry.id} entry={entry} isOpen={entry.id === document} />
        ))}
      </ul>
    </section>
  );
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

function DocumentItem({ entry, isOpen }: { entry: LivingEntry; isOpen: boolean }) {
  const orgPath = useOrgPath();
  const who = useWho();
  const { open } = useOpen();
  const [doing, setDoing] = useState<"renaming" | "deleting" | null>(null);
  const { change, remove } = useLivingChanges(entry.project_id, entry.id);
  if (doing === "renaming") {
    return (
      <li className="px-1.5 py-1">
        <NameForm
          label="New name"
          name={entry.name}
          submit="Rename"
          busy="Renaming"
          onSubmit={async (name) => {
            await change.mutateAsync({ name });
            setDoing(null);
          }}
          onCancel={() => setDoing(null)}
        />
      </li>
    );
  }
  return (
    <li className={cx("rounded-md", isOpen ? "bg-hover" : "hover:bg-hover")}>
      <div className="flex items-center gap-1 pr-1">
        <Link
          to={orgPath(`projects/${entry.project_id}`)}
          search={(old: object) => ({ ...old, document: entry.id, view: undefined, tab: "text" })}
          aria-current={isOpen ? "page" : undefined}
          className="flex min-w-0 flex-1 items-start gap-2 rounded-md px-2 py-1.5"
        >
          <FileText size={15} aria-hidden className={cx("mt-0.5 shrink-0", isOpen ? "text-accent" : "text-muted")} />
          <span className="min-w-0 flex-1">
            <span className={cx("block truncate", isOpen && "font-medium")}>{entry.name}</span>
            <span className="block truncate text-xs text-muted">
              <RelativeTime date={entry.created_at} />, {who(entry)}
            </span>
          </span>
        </Link>
        <Menu align="end" trigger={<IconButton small icon={MoreHorizontal} label={`More for ${entry.name}`} />}>
          <MenuItem icon={Pencil} onSelect={() => setDoing("renaming")}>
            Rename
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => setDoing("deleting")}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      {doing === "deleting" && (
        <div className="px-2 pb-1 text-sm">
          <ConfirmDelete
            question={`Delete ${entry.name} with all its versions?`}
            action="Delete document"
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() =>
              remove.mutate(undefined, {
                onSuccess: () => {
                  toast(`${entry.name} is deleted.`);
                  if (isOpen) open({ document: null }, { itself: true });
                },
              })
            }
            onCancel={() => {
              remove.reset();
              setDoing(null);
            }}
          />
        </div>
      )}
    </li>
  );
}
