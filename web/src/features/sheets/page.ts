import { Sheet } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "sheets",
  get title() { return t("common.sheets"); },
  nav: { icon: Sheet },
  load: () => import("./SheetsPage"),
});
