import { Inbox } from "lucide-react";

import { useInboxCount } from "@/lib/api/inbox";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "inbox",
  title: "Inbox",
  nav: { icon: Inbox, order: 20, useCount: useInboxCount },
  load: () => import("./InboxPage"),
});
