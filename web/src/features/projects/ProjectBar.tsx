import { Link } from "@tanstack/react-router";
import { useState } from "react";

import type { Project } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { NameForm } from "./NameForm";
import { useProjectChanges } from "./useProjects";

/** The line over a project: where it is, and its name; press it to change it in its place. */
export function ProjectBar({ project }: { project: Project }) {
  const orgPath = useOrgPath();
  const [isRenaming, setIsRenaming] = useState(false);
  const { change } = useProjectChanges(project.id);
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-1 border-b bg-surface px-3 py-1 sm:px-4">
      <Link to={orgPath("projects")} className="shrink-0 text-muted hover:text-ink hover:underline">
        {t("common.projects")}
      </Link>
      <span aria-hidden className="text-muted">
        /
      </span>
      {isRenaming && (
        <NameForm
          label={t("projects.nameOfTheProject")}
          name={project.name}
          submit={t("common.rename")}
          busy={t("common.renaming")}
          className="flex-1 sm:max-w-96"
          onSubmit={async (name) => {
            await change.mutateAsync({ name });
            setIsRenaming(false);
          }}
          onCancel={() => setIsRenaming(false)}
        />
      )}
      <h1 className={isRenaming ? "sr-only" : "min-w-0 text-base"}>
        {isRenaming ? (
          project.name
        ) : (
          <button
            type="button"
            title={t("projects.namePressToRename", { name: project.name })}
            className="block max-w-full truncate rounded-sm px-1 py-0.5 hover:bg-hover"
            onClick={() => setIsRenaming(true)}
          >
            {project.name}
          </button>
        )}
      </h1>
    </div>
  );
}
