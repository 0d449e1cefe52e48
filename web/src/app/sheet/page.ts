import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "sheets/$promptId",
  get title() { return t("common.sheet"); },
  layout: "workspace",
  load: () => import("./SheetPage"),
});
