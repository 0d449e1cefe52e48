import { Tags } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "tags",
  title: "Tags",
  nav: { icon: Tags, order: 50 },
  load: () => import("./TagsPage"),
});
