import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "projects/$projectId",
  title: "Project",
  layout: "workspace",
  load: () => import("./ProjectPage"),
});
