import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "review",
  get title() { return t("common.review"); },
  nav: {},
  within: "documents",
  load: () => import("./ReviewPage"),
});
