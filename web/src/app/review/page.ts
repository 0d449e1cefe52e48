import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "review/$promptId",
  title: "Review",
  layout: "workspace",
  load: () => import("./ReviewDesk"),
});
