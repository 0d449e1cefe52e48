import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "proposals",
  get title() { return t("common.proposals"); },
  nav: {},
  within: "documents",
  layout: "workspace",
  load: () => import("./ProposalsPage"),
});
