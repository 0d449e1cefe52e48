import { useNavigate } from "@tanstack/react-router";
import { History, Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Pager } from "@/components/Pager";
import { SearchField } from "@/components/SearchField";
import { Table, Th } from "@/components/Table";
import type { Project } from "@/lib/api/projects";
import { useCommands } from "@/lib/commands";
import { LIST_SIZE, useListSearch } from "@/lib/listSearch";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";
import { toast } from "@/lib/toasts";

import { DeletedList } from "./DeletedList";
import { ProjectForm } from "./ProjectForm";
import { ProjectRow } from "./ProjectRow";
import { useBringBackProject, useDeletedProjects } from "./useDeleted";
import { useCreateProject, useProjectList } from "./useProjects";

const SORTABLE: string[] = [];
const LAST_CHANGED = { field: "updated_at", direction: "desc" } as const;

export default function ProjectsPage({ creates = false }: { creates?: boolean }) {
  const [search, change] = useListSearch(SORTABLE, LAST_CHANGED);
  const list = useProjectList(search);
  const createProject = useCreateProject();
  const [isCreating, setIsCreating] = useState(creates);
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const bringBack = useBringBackProject();
  const [showsDeleted, setShowsDeleted] = useState(false);
  const deleted = (project: Project): void =>
    toast(`${project.name} is deleted.`, { label: "Undo", run: () => bringBack.mutate(project) });
  const begin = (): void => setIsCreating(true);
  const projects = list.data?.projects ?? [];
  useShortcut({ keys: "n", does: "Create a project", group: "Projects" }, begin);
  useCommands(
    projects.map((project) => ({
      id: `project.${project.id}`,
      label: `Open ${project.name}`,
      group: "Projects",
      run: () => void navigate({ to: orgPath(`projects/${project.id}`) }),
    })),
  );
  const isEmpty = list.data?.total_count === 0 && !search.find;
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-3">
      <PageHeader title="Projects">
        {!isCreating && !isEmpty && (
          <Button variant="primary" icon={Plus} onClick={begin}>
            Create project
          </Button>
        )}
      </PageHeader>
      {!isEmpty && <p className="text-muted">A project keeps documents that you and the agent write together, each with all its versions.</p>}
      {isCreating && (
        <div className="rounded-lg border bg-surface p-3">
          <ProjectForm
            submit="Create project"
            busy="Creating"
            onSubmit={async (values) => {
              const made = await createProject.mutateAsync(values);
              await navigate({ to: orgPath(`projects/${made.id}`) });
            }}
            onCancel={() => setIsCreating(false)}
          />
        </div>
      )}
      {list.error && <ErrorNote what="The projects cannot be shown." error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what="your projects" />}
      {isEmpty && !isCreating && (
        <EmptyState title="A project keeps documents that you and the agent write together, such as the plan, the costs and the open questions of a move.">
          <Button variant="primary" icon={Plus} onClick={begin}>
            Create project
          </Button>
        </EmptyState>
      )}
      {list.data && !isEmpty && (
        <>
          <SearchField label="Search projects" group="Projects" value={search.find} onFind={(find) => change({ find })} />
          {projects.length ? (
            <Table label="Projects">
              <thead>
                <tr>
                  <Th>Name</Th>
                  <Th className="max-sm:hidden">Documents</Th>
                  <Th className="max-sm:hidden">Last change</Th>
                  <Th>
                    <span className="sr-only">Actions</span>
                  </Th>
                </tr>
              </thead>
              <tbody>
                {projects.map((project) => (
                  <ProjectRow key={project.id} project={project} onDeleted={() => deleted(project)} />
                ))}
              </tbody>
            </Table>
          ) : (
            <EmptyState title="No project matches." />
          )}
          <Pager what="projects" page={search.page} size={LIST_SIZE} total={list.data.total_count} onPage={(page) => change({ page })} />
        </>
      )}
      {bringBack.error && (
        <ErrorNote what={`${bringBack.variables.name} is not back.`} error={bringBack.error} onDismiss={() => bringBack.reset()} />
      )}
      {showsDeleted && <DeletedProjects bringBack={bringBack} onClose={() => setShowsDeleted(false)} />}
      {list.data && !showsDeleted && (
        <Button small variant="quiet" icon={History} className="self-start text-muted" onClick={() => setShowsDeleted(true)}>
          Show deleted projects
        </Button>
      )}
    </div>
  );
}

function DeletedProjects({ bringBack, onClose }: { bringBack: ReturnType<typeof useBringBackProject>; onClose: () => void }) {
  return <DeletedList what="projects" list={useDeletedProjects()} bringBack={bringBack} onClose={onClose} />;
}
