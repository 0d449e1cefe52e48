import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";

import { useReviewQueues } from "@/lib/api/review";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

/** A line for each queue in which documents wait for a reviewer. */
export function ToReview() {
  const orgPath = useOrgPath();
  const { data: queues = [] } = useReviewQueues();
  return queues
    .filter((queue) => queue.waiting > 0)
    .map((queue) => (
      <Link
        key={queue.prompt_id}
        to={orgPath(`review/${queue.prompt_id}`)}
        className="flex items-center gap-2 rounded-lg border border-warm-line bg-warm-soft px-3 py-2 hover:underline"
      >
        <ListChecks size={16} aria-hidden className="shrink-0 text-warm" />
        {t("inbox.countDocumentToReviewName", { waiting: queue.waiting, name: queue.name })}
      </Link>
    ));
}
