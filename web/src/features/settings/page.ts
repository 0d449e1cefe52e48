import { Settings } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

import { SECTIONS } from "./sections";

export const page = definePage({
  path: "settings",
  get title() { return t("common.settings"); },
  nav: { icon: Settings },
  commands: SECTIONS.filter((one) => !one.path).map((section) => ({
    get label() { return t("pages.settingsLabel", { label: section.label }); },
    path: `settings/${section.id}`,
    get words() { return section.words; },
  })),
  load: () => import("./SettingsPage"),
});

export const section = definePage({
  path: "settings/$section",
  get title() { return t("common.settings"); },
  load: () => import("./SettingsPage"),
});
