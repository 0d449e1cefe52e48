import { ClipboardCheck } from "lucide-react";

import { useProposalCount } from "@/lib/api/proposals";
import { t } from "@/lib/i18n";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "proposals",
  get title() { return t("common.proposals"); },
  nav: { icon: ClipboardCheck, order: 12, useCount: useProposalCount },
  layout: "workspace",
  load: () => import("./ProposalsPage"),
});
