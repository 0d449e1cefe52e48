import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "sheets/$promptId",
  title: "Sheet",
  layout: "workspace",
  load: () => import("./SheetPage"),
});
