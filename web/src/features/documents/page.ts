import { Files } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "documents",
  get title() { return t("common.documents"); },
  nav: { icon: Files },
  load: () => import("./DocumentsPage"),
});
