import { Link } from "@tanstack/react-router";
import { ClipboardCheck, Inbox, ListChecks, Mail } from "lucide-react";

import { useApprovalCount } from "@/lib/api/inbox";
import { useMyInvitations } from "@/lib/api/invitations";
import { useProposalCount } from "@/lib/api/proposals";
import { useReviewQueues } from "@/lib/api/review";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

/** A line for each thing that waits for the user, with the way to it. */
export function Waiting({ inInbox = false }: { inInbox?: boolean }) {
  const orgPath = useOrgPath();
  const approvals = useApprovalCount();
  const { data: invitations = [] } = useMyInvitations();
  const proposals = useProposalCount();
  const { data: queues = [] } = useReviewQueues();
  // The inbox shows the cards themselves.
  const ofInbox = [
    { path: "inbox", icon: Inbox, count: approvals, label: t("inbox.countNeedApproval", { count: approvals }) },
    { path: "inbox", icon: Mail, count: invitations.length, label: t("inbox.countInvitation", { count: invitations.length }) },
  ];
  const lines = [
    ...(inInbox ? [] : ofInbox),
    { path: "proposals", icon: ClipboardCheck, count: proposals, label: t("inbox.countProposal", { count: proposals }) },
    ...queues.map(({ prompt_id, name, waiting }) => ({
      path: `review/${prompt_id}`,
      icon: ListChecks,
      count: waiting,
      label: t("inbox.countDocumentToReviewName", { waiting, name }),
    })),
  ].filter((line) => line.count > 0);
  if (!lines.length) return null;
  return (
    <ul aria-label={t("inbox.waitsForYou")} className="flex flex-col divide-y divide-warm-line overflow-hidden rounded-lg border border-warm-line bg-warm-soft">
      {lines.map(({ path, icon: Icon, label }) => (
        <li key={label}>
          <Link to={orgPath(path)} className="flex items-center gap-2 px-3 py-2 hover:underline">
            <Icon size={16} aria-hidden className="shrink-0 text-warm" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
