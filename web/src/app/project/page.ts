import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "projects/$projectId",
  get title() { return t("common.project"); },
  layout: "workspace",
  load: () => import("./ProjectPage"),
});
