import { ClipboardList } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "forms",
  title: "Forms",
  nav: { icon: ClipboardList, order: 60 },
  load: () => import("./FormsPage"),
});

export const editor = definePage({
  path: "forms/$formId",
  title: "Form",
  layout: "workspace",
  load: () => import("./FormPage"),
});
