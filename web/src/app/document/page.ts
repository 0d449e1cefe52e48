import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "documents/$documentId",
  title: "Document",
  layout: "workspace",
  load: () => import("./DocumentPage"),
});
