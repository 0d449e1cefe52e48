import { House } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "home",
  get title() { return t("pages.home"); },
  nav: { icon: House },
  load: () => import("./HomePage"),
});
