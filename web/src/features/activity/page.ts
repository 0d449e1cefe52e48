import { History } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "activity",
  get title() { return t("common.activity"); },
  nav: { icon: History, order: 70, adminsOnly: true },
  load: () => import("./ActivityPage"),
});
