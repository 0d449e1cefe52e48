import { PageHeader } from "@/components/PageHeader";
import { Split } from "@/components/Split";
import { Thread } from "@/components/Thread";
import { Queue, WithProposals } from "@/features/proposals/Queue";
import { useReview } from "@/features/proposals/useReview";
import type { ProposalGroup } from "@/lib/api/proposals";
import { t } from "@/lib/i18n";
import { useSettled } from "@/lib/settled";
import { useIsNarrow } from "@/lib/width";

import { ProposedDocument } from "./ProposedDocument";

const REST_MS = 120;

/** Proposals that wait for a verdict, with the document that is looked at beside them. */
export default function ProposalsPage() {
  return (
    <>
      <Thread />
      <div className="shrink-0 border-b bg-surface px-3 py-1.5 sm:px-4">
        <PageHeader title={t("common.proposals")} />
      </div>
      <WithProposals>{(groups) => <Desk groups={groups} />}</WithProposals>
    </>
  );
}

function Desk({ groups }: { groups: readonly ProposalGroup[] }) {
  const isNarrow = useIsNarrow();
  const review = useReview(groups);
  // Somebody who runs through the list is not shown every document on the way.
  const shown = useSettled(review.current, REST_MS);
  const group = groups.find(({ documents }) => documents.some((document) => document.document_id === shown));
  const queue = (
    <div className="min-h-0 flex-1 overflow-y-auto p-3 sm:px-4">
      <Queue groups={groups} review={review} hasPreview={!isNarrow} />
    </div>
  );
  if (isNarrow) return queue;
  const preview = shown && group && <ProposedDocument key={shown} documentId={shown} group={group} />;
  return <Split name="proposals" label={t("proposals.widthOfTheList")} initial={36} className="flex-1" left={queue} right={preview} />;
}
