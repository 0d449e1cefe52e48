import { Sheet } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "sheets",
  title: "Sheets",
  nav: { icon: Sheet, order: 13 },
  load: () => import("./SheetsPage"),
});
