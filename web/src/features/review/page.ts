import { ListChecks } from "lucide-react";

import { useReviewCount } from "@/lib/api/review";
import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "review",
  get title() { return t("common.review"); },
  nav: { icon: ListChecks, order: 14, useCount: useReviewCount },
  load: () => import("./ReviewPage"),
});
