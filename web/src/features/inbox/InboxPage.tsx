import { useRef } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { useInbox } from "@/lib/api/inbox";
import { useMyInvitations } from "@/lib/api/invitations";
import { useReviewCount } from "@/lib/api/review";
import { useListedShortcuts, useShortcut } from "@/lib/shortcuts";

import { MyInvitations } from "./MyInvitations";
import { ToReview } from "./ToReview";
import { WaitingItem } from "./WaitingItem";
import { useInboxFocus } from "./useInboxFocus";

const KEYS = [
  { keys: "a", does: "Approve", group: "Inbox" },
  { keys: "e", does: "Edit", group: "Inbox" },
  { keys: "r", does: "Reject", group: "Inbox" },
];

export default function InboxPage() {
  const { data, error, refetch } = useInbox();
  const frame = useRef<HTMLDivElement>(null);
  const { data: invitations = [] } = useMyInvitations();
  const toReview = useReviewCount();
  const waiting = data?.approvals ?? [];
  const move = useInboxFocus(frame, waiting);
  useListedShortcuts(KEYS);
  useShortcut({ keys: "j", does: "Next card", group: "Inbox" }, () => move(1));
  useShortcut({ keys: "k", does: "Previous card", group: "Inbox" }, () => move(-1));
  return (
    <div ref={frame} className="mx-auto flex max-w-3xl flex-col gap-4 [--card-foot:var(--toast-space,0px)]">
      <PageHeader title="Inbox" />
      {error && <ErrorNote what="What waits for you cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="what waits for you" />}
      <MyInvitations />
      <ToReview />
      {data && waiting.length === 0 && invitations.length === 0 && toReview === 0 && <EmptyState title="Nothing waits for you." />}
      {waiting.map((item) => (
        <WaitingItem key={item.turn_id} item={item} />
      ))}
      {data && data.total_count > waiting.length && (
        <p className="text-muted">{data.total_count - waiting.length} more wait behind these.</p>
      )}
    </div>
  );
}
