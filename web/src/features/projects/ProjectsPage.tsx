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
import { t } from "@/lib/i18n";
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
    toast(t("projects.nameIsDeleted", { name: project.name }), { label: t("common.undo"), run: () => bringBack.mutate(project) });
  const begin = (): void => setIsCreating(true);
  const projects = list.data?.projects ?? [];
  useShortcut({ keys: "n", does: t("projects.createAProject"), group: t("common.projects") }, begin);
  useCommands(
    projects.map((project) => ({
      id: `project.${project.id}`,
      label: t("common.openName", { name: project.name }),
      group: t("common.projects"),
      run: () => void navigate({ to: orgPath(`projects/${project.id}`) }),
    })),
  );
  const isEmpty = list.data?.total_count === 0 && !search.find;
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-3">
      <PageHeader title={t("common.projects")}>
        {!isCreating && !isEmpty && (
          <Button variant="primary" icon={Plus} onClick={begin}>
            {t("projects.createProject")}
          </Button>
        )}
      </PageHeader>
      {!isEmpty && <p className="text-muted">{t("projects.aProjectKeepsDocumentsThatYou")}</p>}
      {isCreating && (
        <div className="rounded-lg border bg-surface p-3">
          <ProjectForm
            submit={t("projects.createProject")}
            busy={t("common.creating")}
            onSubmit={async (values) => {
              const made = await createProject.mutateAsync(values);
              await navigate({ to: orgPath(`projects/${made.id}`) });
            }}
            onCancel={() => setIsCreating(false)}
          />
        </div>
      )}
      {list.error && <ErrorNote what={t("projects.theProjectsCannotBeShown")} error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading what={t("projects.yourProjects")} />}
      {isEmpty && !isCreating && (
        <EmptyState title={t("projects.aProjectKeepsDocumentsThatYouAnd")}>
          <Button variant="primary" icon={Plus} onClick={begin}>
            {t("projects.createProject")}
          </Button>
        </EmptyState>
      )}
      {list.data && !isEmpty && (
        <>
          <SearchField label={t("projects.searchProjects")} group={t("common.projects")} value={search.find} onFind={(find) => change({ find })} />
          {projects.length ? (
            <Table label={t("common.projects")}>
              <thead>
                <tr>
                  <Th>{t("common.name")}</Th>
                  <Th className="max-sm:hidden">{t("common.documents")}</Th>
                  <Th className="max-sm:hidden">{t("projects.lastChange")}</Th>
                  <Th>
                    <span className="sr-only">{t("common.actions")}</span>
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
            <EmptyState title={t("projects.noProjectMatches")} />
          )}
          <Pager what={t("projects.projects2")} page={search.page} size={LIST_SIZE} total={list.data.total_count} onPage={(page) => change({ page })} />
        </>
      )}
      {bringBack.error && (
        <ErrorNote what={t("projects.nameIsNotBack", { name: bringBack.variables.name })} error={bringBack.error} onDismiss={() => bringBack.reset()} />
      )}
      {showsDeleted && <DeletedProjects bringBack={bringBack} onClose={() => setShowsDeleted(false)} />}
      {list.data && !showsDeleted && (
        <Button small variant="quiet" icon={History} className="self-start text-muted" onClick={() => setShowsDeleted(true)}>
          {t("projects.showDeletedProjects")}
        </Button>
      )}
    </div>
  );
}

function DeletedProjects({ bringBack, onClose }: { bringBack: ReturnType<typeof useBringBackProject>; onClose: () => void }) {
  return <DeletedList what={t("projects.projects2")} list={useDeletedProjects()} bringBack={bringBack} onClose={onClose} />;
}
