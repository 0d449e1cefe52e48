import { useRef, useState } from "react";

import type { Project } from "@/lib/api/projects";
import { download } from "@/lib/download";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { ImportDialog } from "./ImportDialog";
import { pathed } from "./files";

import type { PathedFile } from "./files";
import type { ChangeEvent } from "react";

/** Known to every browser, but not to the types of React. */
const WHOLE_FOLDERS = { webkitdirectory: "" } as object;
const KINDS = ".md,.markdown,.txt,.zip";

/** Import and export of a project's documents; `dialogs` is to be shown somewhere on the page. */
export function useFiles(project: Project) {
  const { id } = useOrganization();
  const [files, setFiles] = useState<PathedFile[] | null>(null);
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const chosen = (event: ChangeEvent<HTMLInputElement>): void => {
    const found = pathed(event.target.files ?? []);
    if (found.length) setFiles(found);
    event.target.value = "";
  };
  const field = { type: "file", hidden: true, multiple: true, onChange: chosen };
  return {
    take: setFiles,
    chooseFiles: () => file.current?.click(),
    chooseFolder: () => folder.current?.click(),
    exportAll: () =>
      void download(`/v0/orgs/${id}/projects/${project.id}/export`, `${project.name}.zip`).catch((error: unknown) =>
        setProblem({ what: t("projects.nothingWasExported"), error }),
      ),
    problem,
    setProblem,
    dialogs: (
      <>
        <input ref={file} {...field} accept={KINDS} aria-label={t("projects.filesToImport")} />
        <input ref={folder} {...field} {...WHOLE_FOLDERS} aria-label={t("projects.folderToImport")} />
        {files && <ImportDialog project={project} files={files} onClose={() => setFiles(null)} />}
      </>
    ),
  };
}
