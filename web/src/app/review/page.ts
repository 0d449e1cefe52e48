import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "review/$promptId",
  get title() { return t("common.review"); },
  within: "documents",
  layout: "workspace",
  load: () => import("./ReviewDesk"),
});
