import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "tags",
  get title() { return t("common.tags"); },
  nav: {},
  within: "settings",
  load: () => import("./TagsPage"),
});
