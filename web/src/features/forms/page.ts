import { ClipboardList } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "forms",
  get title() { return t("common.forms"); },
  nav: { icon: ClipboardList, order: 60 },
  load: () => import("./FormsPage"),
});

export const editor = definePage({
  path: "forms/$formId",
  get title() { return t("common.form"); },
  layout: "workspace",
  load: () => import("./FormPage"),
});
