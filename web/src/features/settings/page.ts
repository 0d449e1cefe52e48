import { Settings } from "lucide-react";

import { definePage } from "@/lib/pages";

import { SECTIONS } from "./sections";

export const page = definePage({
  path: "settings",
  title: "Settings",
  nav: { icon: Settings, order: 80 },
  commands: SECTIONS.map((section) => ({
    label: `Settings: ${section.label}`,
    path: `settings/${section.id}`,
    words: section.words,
  })),
  load: () => import("./SettingsPage"),
});

export const section = definePage({
  path: "settings/$section",
  title: "Settings",
  load: () => import("./SettingsPage"),
});
