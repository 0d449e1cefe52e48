import { useEffect, useRef } from "react";

import { ButtonLink } from "@/components/ButtonLink";
import { MergeOffers } from "@/components/MergeOffers";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { NextStep } from "@/components/Thread";
import { useProposalGroups } from "@/lib/api/proposals";
import type { ProposalGroup } from "@/lib/api/proposals";
import { useThread } from "@/lib/api/thread";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import { GroupCard, KeysLine } from "./GroupCard";

import type { Review } from "./useReview";
import type { KeyboardEvent, ReactNode, RefObject } from "react";

const group = (): string => t("common.proposals");

interface QueueProps {
  groups: readonly ProposalGroup[];
  review: Review;
  hasPreview: boolean;
}

/** What waits for a verdict: one group for each schema that is proposed. */
export function Queue({ groups, review, hasPreview }: QueueProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { current } = review;
  useRowFocus(frame, current);
  const move = (by: number): void => {
    review.move(by);
    // Whoever goes through the queue by keys has the focus on its lines.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[data-proposal][aria-current]")?.focus());
  };
  useShortcut({ keys: "j", does: t("proposals.nextDocument"), group: group() }, () => move(1));
  useShortcut({ keys: "k", does: t("proposals.previousDocument"), group: group() }, () => move(-1));
  useShortcut({ keys: "x", does: t("proposals.takeTheDocumentOutOfIts"), group: group() }, () => current && review.toggle(current));
  useShortcut({ keys: "a", does: t("proposals.acceptTheGroup"), group: group() }, () => {
    if (review.group) void review.accept(review.group);
  });
  useShortcut({ keys: "r", does: t("proposals.rejectTheDocument2"), group: group() }, () => {
    if (current) void review.reject([current]);
  });
  const press = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-proposal]")) return;
    const run = { ArrowDown: () => move(1), ArrowUp: () => move(-1), " ": () => current && review.toggle(current) }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    // The keys of the lines inside: up, down, space.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={frame} onKeyDown={press} className="flex flex-col gap-3">
      <KeysLine />
      {review.problem && <ErrorNote what={review.problem.what} error={review.problem.error} onDismiss={review.dismiss} />}
      <MergeOffers groups={groups.map((one) => ({ ...one, documents: one.documents.filter(({ document_id: id }) => !review.takenOut.has(id)) }))} />
      {groups.map((group) => (
        <GroupCard key={`${group.proposal_id} ${group.schema?.schema_revid ?? ""}`} group={group} review={review} hasPreview={hasPreview} />
      ))}
    </div>
  );
}

/** The focus goes to the line that is looked at when nothing else has it: at the beginning, and when a line is gone. */
function useRowFocus(frame: RefObject<HTMLElement | null>, current: string | null): void {
  useEffect(() => {
    // After the page itself has got the focus, as it does on navigation.
    const timer = setTimeout(() => {
      const active = document.activeElement;
      const isLost = !active || active === document.body || active.id === "main";
      if (isLost) frame.current?.querySelector<HTMLElement>("[data-proposal][aria-current]")?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [frame, current]);
}

/** The queue once it is there; what is said instead until then, or when nothing waits. */
export function WithProposals({ children }: { children: (groups: readonly ProposalGroup[]) => ReactNode }) {
  const orgPath = useOrgPath();
  const pile = useThread();
  const { data, error, refetch } = useProposalGroups();
  if (error) return <ErrorNote className="m-4" what={t("proposals.theProposalsCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("proposals.theProposals")} />;
  if (data.groups.length) return children(data.groups);
  const { running = 0, failed = 0 } = data.counts;
  return (
    <EmptyState title={t("proposals.noProposalWaitsForYou")}>
      {running > 0 && <p role="status">{t("proposals.countDocumentIsBeingPrepared", { running })}</p>}
      {failed > 0 && <p className="text-sm text-muted">{t("proposals.countDocumentCouldNotBePrepared", { failed })}</p>}
      {pile?.files === 0 ? <ButtonLink to={orgPath("documents")}>{t("proposals.uploadDocuments")}</ButtonLink> : <NextStep pile={pile} />}
    </EmptyState>
  );
}
