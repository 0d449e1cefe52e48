import { useRef } from "react";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { useInbox, useWaitingCount } from "@/lib/api/inbox";
import { t } from "@/lib/i18n";
import { useListedShortcuts, useShortcut } from "@/lib/shortcuts";

import { MyInvitations } from "./MyInvitations";
import { Waiting } from "./Waiting";
import { WaitingItem } from "./WaitingItem";
import { useInboxFocus } from "./useInboxFocus";

const KEYS = [
  { keys: "a", get does() { return t("common.approve"); }, get group() { return t("common.inbox"); } },
  { keys: "e", get does() { return t("common.edit"); }, get group() { return t("common.inbox"); } },
  { keys: "r", get does() { return t("common.reject"); }, get group() { return t("common.inbox"); } },
];

export default function InboxPage() {
  const { data, error, refetch } = useInbox();
  const frame = useRef<HTMLDivElement>(null);
  const count = useWaitingCount();
  const waiting = data?.approvals ?? [];
  const move = useInboxFocus(frame, waiting);
  useListedShortcuts(KEYS);
  useShortcut({ keys: "j", does: t("inbox.nextCard"), group: t("common.inbox") }, () => move(1));
  useShortcut({ keys: "k", does: t("inbox.previousCard"), group: t("common.inbox") }, () => move(-1));
  return (
    <div ref={frame} className="mx-auto flex max-w-3xl flex-col gap-4 [--card-foot:var(--toast-space,0px)]">
      <PageHeader title={t("common.inbox")} />
      {error && <ErrorNote what={t("inbox.whatWaitsForYouCannotBe")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("inbox.whatWaitsForYou")} />}
      <MyInvitations />
      <Waiting inInbox />
      {data && count === 0 && <EmptyState title={t("inbox.nothingWaitsForYou")} />}
      {waiting.map((item) => (
        <WaitingItem key={item.turn_id} item={item} />
      ))}
      {data && data.total_count > waiting.length && (
        <p className="text-muted">{t("inbox.totalCountMoreWaitBehindThese", { totalCount: data.total_count - waiting.length })}</p>
      )}
    </div>
  );
}
