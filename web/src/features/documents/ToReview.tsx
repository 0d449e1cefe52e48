import { Link } from "@tanstack/react-router";

import { StateMark } from "@/components/Badge";
import { useProposalCount } from "@/lib/api/proposals";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

/** The way to the proposals that wait for a verdict; nothing when none does. */
export function ToReview() {
  const orgPath = useOrgPath();
  const count = useProposalCount();
  if (!count) return null;
  return (
    <Link to={orgPath("proposals")} className="flex h-8 items-center rounded-md bg-warm-soft px-2 hover:underline">
      <StateMark state="waits-for-you">{t("documents.countProposalToReview", { count })}</StateMark>
    </Link>
  );
}
