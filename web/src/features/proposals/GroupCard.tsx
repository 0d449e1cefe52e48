import { Check, X } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import type { ProposalGroup } from "@/lib/api/proposals";
import { cx } from "@/lib/cx";
import { rich, t } from "@/lib/i18n";
import { fieldWords } from "@/lib/proposals";

import { DocumentLine } from "./DocumentLine";
import { AcceptAndTag } from "./TagForm";
import { includedIn } from "./review";

import type { Review } from "./useReview";

interface GroupCardProps {
  group: ProposalGroup;
  review: Review;
  /** What is chosen is shown beside the list; otherwise a line leads to its document. */
  hasPreview: boolean;
}

/** The documents for which one schema is proposed, decided together. */
export function GroupCard({ group, review, hasPreview }: GroupCardProps) {
  const { schema, prompt, documents } = group;
  const name = schema?.name ?? prompt?.name ?? t("proposals.withoutASchema");
  const included = includedIn(group, review.takenOut);
  const isCurrent = review.group?.proposal_id === group.proposal_id;
  const busy = review.busy && included.some((one) => review.busy?.documentIds.includes(one)) ? review.busy : null;
  const none = !included.length && t("proposals.allDocumentsAreTakenOutOf");
  const wait = busy && t("proposals.wordsWaitForItToEnd", { words: busy.words });
  const fields = fieldWords(schema?.response_format);
  const count = t("proposals.countDocument", { count: included.length });
  return (
    <section aria-label={t("proposals.nameCountDocument", { name, count: documents.length })} className={cx("rounded-lg border bg-surface", isCurrent && "border-warm-line")}>
      <header className={cx("flex flex-col gap-2 rounded-t-lg border-b px-3 py-2", isCurrent && "border-warm-line bg-warm-soft")}>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 text-base wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          <Badge>{group.is_new ? t("proposals.newSchema2") : t("proposals.existsAlready")}</Badge>
          <span className="text-sm text-muted">
            {included.length === documents.length ? t("proposals.countDocument", { count: documents.length }) : t("proposals.countOfCountDocument", { count: included.length, count2: documents.length })}
          </span>
        </div>
        <p className="text-sm wrap-anywhere">{group.is_new ? t("proposals.nothingThatYouHaveFitsSo") : group.reason}</p>
        {fields.length > 0 && (
          <p className="line-clamp-2 text-sm text-muted" title={fields.join(", ")}>
            {t("common.countField", { count: fields.length })}: {fields.join(", ")}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-1.5">
          <Button
            small
            variant="primary"
            icon={Check}
            busy={busy?.verdict === "accept" && busy.words}
            disabledBecause={none || wait}
            onClick={() => void review.accept(group)}
          >
            {t("proposals.acceptCount", { count })} {isCurrent && hasPreview && <kbd className="rounded-sm border border-current px-1 font-sans text-xs">A</kbd>}
          </Button>
          <AcceptAndTag suggested={name} hasKey={isCurrent && hasPreview} disabledBecause={none || wait} onAccept={(tagName) => void review.accept(group, tagName)} />
          <Button
            small
            icon={X}
            busy={busy?.verdict === "reject" && busy.words}
            disabledBecause={none || wait}
            onClick={() => void review.reject(included)}
          >
            {t("proposals.rejectValue", { value: included.length > 1 ? t("proposals.allCount", { count: included.length }) : count })}
          </Button>
        </div>
      </header>
      <ul aria-label={t("proposals.documentsOfName", { name })} className="flex flex-col py-1">
        {documents.map((document) => (
          <DocumentLine
            key={document.document_id}
            document={document}
            isCurrent={document.document_id === review.current}
            isTakenOut={review.takenOut.has(document.document_id)}
            hasPreview={hasPreview}
            onLook={review.look}
            onToggle={review.toggle}
          />
        ))}
      </ul>
    </section>
  );
}

/** The keys of the queue, for those who have just come. */
export function KeysLine() {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted max-md:hidden">
      <span>
        <Kbd keys="j" /> <Kbd keys="k" />{" "}{t("proposals.nextPrevious")}
      </span>
      <span>
        <Kbd keys="x" />{" "}{t("proposals.outOfTheGroupOrBack")}
      </span>
      <span>
        <Kbd keys="a" />{" "}{rich("proposals.acceptTheGroupKbdWithA", { kbd: <Kbd keys="t" /> })}
      </span>
      <span>
        <Kbd keys="r" />{" "}{t("proposals.rejectTheDocument")}
      </span>
      <span>
        <Kbd keys="Enter" />{" "}{t("proposals.openIt")}
      </span>
    </p>
  );
}
