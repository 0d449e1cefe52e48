import { Check, X } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import type { ProposalGroup } from "@/lib/api/proposals";
import { cx } from "@/lib/cx";
import { plural } from "@/lib/format";
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
  const name = schema?.name ?? prompt?.name ?? "Without a schema";
  const included = includedIn(group, review.takenOut);
  const isCurrent = review.group?.proposal_id === group.proposal_id;
  const busy = review.busy && included.some((one) => review.busy?.documentIds.includes(one)) ? review.busy : null;
  const none = !included.length && "All documents are taken out of this group.";
  const wait = busy && `${busy.words}; wait for it to end.`;
  const fields = fieldWords(schema?.response_format);
  const count = plural(included.length, "document");
  return (
    <section aria-label={`${name}, ${plural(documents.length, "document")}`} className={cx("rounded-lg border bg-surface", isCurrent && "border-warm-line")}>
      <header className={cx("flex flex-col gap-2 rounded-t-lg border-b px-3 py-2", isCurrent && "border-warm-line bg-warm-soft")}>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 text-base wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          <Badge>{group.is_new ? "new schema" : "exists already"}</Badge>
          <span className="text-sm text-muted">
            {included.length === documents.length ? plural(documents.length, "document") : `${included.length} of ${plural(documents.length, "document")}`}
          </span>
        </div>
        <p className="text-sm wrap-anywhere">{group.is_new ? "Nothing that you have fits, so this is made for them." : group.reason}</p>
        {fields.length > 0 && (
          <p className="line-clamp-2 text-sm text-muted" title={fields.join(", ")}>
            {plural(fields.length, "field")}: {fields.join(", ")}
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
            Accept {count} {isCurrent && hasPreview && <kbd className="rounded-sm border border-current px-1 font-sans text-xs">A</kbd>}
          </Button>
          <AcceptAndTag suggested={name} hasKey={isCurrent && hasPreview} disabledBecause={none || wait} onAccept={(tagName) => void review.accept(group, tagName)} />
          <Button
            small
            icon={X}
            busy={busy?.verdict === "reject" && busy.words}
            disabledBecause={none || wait}
            onClick={() => void review.reject(included)}
          >
            Reject {included.length > 1 ? `all ${included.length}` : count}
          </Button>
        </div>
      </header>
      <ul aria-label={`Documents of ${name}`} className="flex flex-col py-1">
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
        <Kbd keys="j" /> <Kbd keys="k" /> next, previous
      </span>
      <span>
        <Kbd keys="x" /> out of the group, or back
      </span>
      <span>
        <Kbd keys="a" /> accept the group, <Kbd keys="t" /> with a tag
      </span>
      <span>
        <Kbd keys="r" /> reject the document
      </span>
      <span>
        <Kbd keys="Enter" /> open it
      </span>
    </p>
  );
}
