import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "documents/$documentId",
  get title() { return t("common.document"); },
  layout: "workspace",
  load: () => import("./DocumentPage"),
});
