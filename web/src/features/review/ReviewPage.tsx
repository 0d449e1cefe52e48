import { Link } from "@tanstack/react-router";

import { ButtonLink } from "@/components/ButtonLink";
import { Input, Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Thread } from "@/components/Thread";
import { useReviewQueues, useSetPolicy } from "@/lib/api/review";
import type { ReviewPolicy, ReviewQueue } from "@/lib/api/review";
import { t } from "@/lib/i18n";
import type { Key } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

const MODES: [mode: ReviewPolicy["mode"], words: Key][] = [
  ["nothing", "review.nothing"],
  ["doubtful", "review.whatIsDoubtful"],
  ["everything", "review.everything"],
];

/** Which results of which prompt people look at, and where something waits. */
export default function ReviewPage() {
  const { data: queues, error, refetch } = useReviewQueues();
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3">
      <div className="relative left-1/2 -mt-4 w-screen max-w-7xl -translate-x-1/2">
        <Thread />
      </div>
      <PageHeader title={t("common.review")} />
      <p className="text-muted">{t("review.chooseForEachPromptWhichOf")}</p>
      {error && <ErrorNote what={t("review.theQueuesCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!queues && !error && <Loading what={t("review.theQueues")} />}
      {queues?.length === 0 && <EmptyState title={t("review.thereAreNoResultsYetRun")} />}
      {queues && queues.length > 0 && (
        <ul aria-label={t("review.queues")} className="flex flex-col divide-y rounded-lg border bg-surface">
          {queues.map((queue) => (
            <QueueRow key={queue.prompt_id} queue={queue} />
          ))}
        </ul>
      )}
    </div>
  );
}

function QueueRow({ queue }: { queue: ReviewQueue }) {
  const orgPath = useOrgPath();
  const set = useSetPolicy();
  const name = queue.prompt_id === "default" ? "Document Summary" : queue.name;
  const change = (part: Partial<ReviewPolicy>): void => {
    const { mode, threshold, sample_percent } = queue;
    set.mutate({ promptId: queue.prompt_id, mode, threshold, sample_percent, ...part });
  };
  return (
    <li className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex min-w-40 flex-1 flex-wrap items-baseline gap-x-3">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Link to={orgPath(`prompts/${queue.prompt_id}/accuracy`)} className="text-sm text-accent underline underline-offset-2">
            {t("common.accuracy")}<span className="sr-only">{t("review.ofName", { name })}</span>
          </Link>
        </span>
        <label className="flex items-center gap-2 text-sm text-muted">
          {t("review.peopleLookAt")}
          <Select aria-label={t("review.whatPeopleLookAtOfName", { name })} className="w-auto!" value={queue.mode} onChange={(event) => change({ mode: event.target.value as ReviewPolicy["mode"] })}>
            {MODES.map(([mode, words]) => (
              <option key={mode} value={mode}>
                {t(words)}
              </option>
            ))}
          </Select>
        </label>
        {queue.mode !== "nothing" &&
          (queue.waiting ? (
            <ButtonLink variant="primary" to={orgPath(`review/${queue.prompt_id}`)}>
              {t("review.reviewCountDocument", { waiting: queue.waiting })}
            </ButtonLink>
          ) : (
            <span className="text-sm text-muted">{t("review.nothingWaits")}</span>
          ))}
      </div>
      {queue.mode === "doubtful" && (
        <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
          <Percent key={queue.threshold} label={t("review.doubtfulBelowAConfidenceOf")} name={name} value={Math.round(queue.threshold * 100)} onSet={(value) => change({ threshold: value / 100 })} />
          <Percent key={`sample ${queue.sample_percent}`} label={t("review.andOfTheRestASample")} name={name} value={queue.sample_percent} onSet={(value) => change({ sample_percent: value })} />
        </div>
      )}
      {set.error && <ErrorNote what={t("common.couldNotSaveThis")} error={set.error} onDismiss={() => set.reset()} />}
    </li>
  );
}

function Percent({ label, name, value, onSet }: { label: string; name: string; value: number; onSet: (value: number) => void }) {
  return (
    <label className="flex items-center gap-1">
      {label}
      <Input
        type="number"
        aria-label={t("review.nameLabelInPercent", { name, label })}
        className="w-16!"
        min={0}
        max={100}
        defaultValue={value}
        onBlur={(event) => {
          const typed = Math.min(100, Math.max(0, Math.round(Number(event.target.value))));
          if (Number.isFinite(typed) && typed !== value) onSet(typed);
        }}
      />
      %
    </label>
  );
}
