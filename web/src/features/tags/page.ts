import { Tags } from "lucide-react";

import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "tags",
  get title() { return t("common.tags"); },
  nav: { icon: Tags, order: 50 },
  load: () => import("./TagsPage"),
});
