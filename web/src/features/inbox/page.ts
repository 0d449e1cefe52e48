import { Inbox } from "lucide-react";

import { useInboxCount } from "@/lib/api/inbox";
import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "inbox",
  get title() { return t("common.inbox"); },
  nav: { icon: Inbox, order: 20, useCount: useInboxCount },
  load: () => import("./InboxPage"),
});
