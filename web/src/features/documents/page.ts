import { Files } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "documents",
  title: "Documents",
  nav: { icon: Files, order: 10 },
  load: () => import("./DocumentsPage"),
});
