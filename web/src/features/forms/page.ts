import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "forms",
  get title() { return t("common.forms"); },
  nav: {},
  within: "settings",
  load: () => import("./FormsPage"),
});

export const editor = definePage({
  path: "forms/$formId",
  get title() { return t("common.form"); },
  within: "settings",
  layout: "workspace",
  load: () => import("./FormPage"),
});
