import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import { Td, Tr } from "@/components/Table";
import type { Project } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { ConfirmDelete } from "./ConfirmDelete";
import { ProjectForm } from "./ProjectForm";
import { useProjectChanges } from "./useProjects";

/** The mutation holds the error, and it is shown. */
const noted = (): void => undefined;

/** One project: what it is and how much is in it; edited and deleted in its place. */
export function ProjectRow({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [doing, setDoing] = useState<"editing" | "deleting" | null>(null);
  const { change, remove } = useProjectChanges(project.id);
  const orgPath = useOrgPath();
  const stop = (): void => {
    remove.reset();
    setDoing(null);
  };
  if (doing === "editing") {
    return (
      <tr className="border-b last:border-b-0">
        <td colSpan={4} className="p-3">
          <ProjectForm
            initial={project}
            submit={t("projects.saveProject")}
            busy={t("common.saving")}
            onSubmit={async (values) => {
              await change.mutateAsync(values);
              setDoing(null);
            }}
            onCancel={stop}
          />
        </td>
      </tr>
    );
  }
  const count = t("projects.countDocument", { documentCount: project.document_count });
  return (
    <Tr>
      <Td className="w-full max-w-0 !py-2">
        <Link to={orgPath(`projects/${project.id}`)} className="block truncate font-medium hover:underline">
          {project.name}
        </Link>
        {project.description && <p className="truncate text-sm text-muted">{project.description}</p>}
        <p className="text-sm text-muted sm:hidden">
          {count}, <RelativeTime date={project.updated_at} />
        </p>
        {doing === "deleting" && (
          <ConfirmDelete
            question={project.document_count ? t("projects.deleteNameWithCount", { name: project.name, count }) : t("common.deleteName", { name: project.name })}
            action={t("projects.deleteProject")}
            isBusy={remove.isPending}
            error={remove.error}
            // The row goes with its project, and a promise outlives it.
            onConfirm={() => void remove.mutateAsync().then(onDeleted, noted)}
            onCancel={stop}
          />
        )}
      </Td>
      <Td className="max-sm:hidden">{project.document_count}</Td>
      <Td className="text-muted max-sm:hidden">
        <RelativeTime date={project.updated_at} />
      </Td>
      <Td className="whitespace-nowrap">
        <IconButton small icon={Pencil} label={t("projects.editName", { name: project.name })} onClick={() => setDoing("editing")} />
        <IconButton small icon={Trash2} label={t("common.deleteName2", { name: project.name })} onClick={() => setDoing("deleting")} />
      </Td>
    </Tr>
  );
}
