import { FolderOpen } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "projects",
  get title() { return t("common.projects"); },
  nav: { icon: FolderOpen },
  commands: [{ get label() { return t("pages.createAProject"); }, path: "projects/new", get words() { return t("pages.newLivingDocumentsTexts"); } }],
  load: () => import("./ProjectsPage"),
});

export const newProject = definePage({
  path: "projects/new",
  get title() { return t("pages.newProject"); },
  load: () => import("./NewProjectPage"),
});
