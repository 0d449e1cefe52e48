import { ClipboardCheck } from "lucide-react";

import { useProposalCount } from "@/lib/api/proposals";
import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "proposals",
  title: "Proposals",
  nav: { icon: ClipboardCheck, order: 12, useCount: useProposalCount },
  layout: "workspace",
  load: () => import("./ProposalsPage"),
});
