import { FolderOpen } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "projects",
  title: "Projects",
  nav: { icon: FolderOpen, order: 15 },
  commands: [{ label: "Create a project", path: "projects/new", words: "new living documents texts" }],
  load: () => import("./ProjectsPage"),
});

export const newProject = definePage({
  path: "projects/new",
  title: "New project",
  load: () => import("./NewProjectPage"),
});
