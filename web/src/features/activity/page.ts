import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "activity",
  get title() { return t("common.activity"); },
  nav: { adminsOnly: true },
  within: "settings",
  load: () => import("./ActivityPage"),
});
