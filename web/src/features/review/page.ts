import { ListChecks } from "lucide-react";

import { useReviewCount } from "@/lib/api/review";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "review",
  title: "Review",
  nav: { icon: ListChecks, order: 14, useCount: useReviewCount },
  load: () => import("./ReviewPage"),
});
