import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "inbox",
  get title() { return t("common.inbox"); },
  nav: {},
  within: "home",
  load: () => import("./InboxPage"),
});
