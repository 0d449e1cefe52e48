import { History } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "activity",
  title: "Activity",
  nav: { icon: History, order: 70, adminsOnly: true },
  load: () => import("./ActivityPage"),
});
