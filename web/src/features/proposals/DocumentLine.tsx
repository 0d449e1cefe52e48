import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef } from "react";

import { Checkbox } from "@/components/Field";
import type { ProposedDocument } from "@/lib/api/proposals";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { valuesWords } from "@/lib/proposals";

import type { MouseEvent } from "react";

interface DocumentLineProps {
  document: ProposedDocument;
  isCurrent: boolean;
  isTakenOut: boolean;
  hasPreview: boolean;
  onLook: (documentId: string) => void;
  onToggle: (documentId: string) => void;
}

/** One document of a group: pressed to look at it beside the list, ticked as long as it goes with its group. */
export const DocumentLine = memo(function DocumentLine({ document, isCurrent, isTakenOut, hasPreview, onLook, onToggle }: DocumentLineProps) {
  const orgPath = useOrgPath();
  const link = useRef<HTMLAnchorElement>(null);
  const { document_id: id, document_name: name } = document;
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const press = (event: MouseEvent): void => {
    // A press of the mouse looks at it; Enter (no button) and a press with a modifier open the document.
    if (!hasPreview || event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onLook(id);
  };
  return (
    <li className={cx("flex items-start gap-1 px-2", isCurrent ? "bg-accent-soft" : "hover:bg-hover")}>
      <Checkbox
        hideLabel
        label={t("proposals.decideOnNameWithItsGroup", { name })}
        className="py-1"
        tabIndex={-1}
        checked={!isTakenOut}
        onChange={() => onToggle(id)}
      />
      <Link
        ref={link}
        to={orgPath(`documents/${id}`)}
        data-proposal={id}
        aria-current={isCurrent || undefined}
        onClick={press}
        onFocus={() => onLook(id)}
        className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 rounded-sm py-1"
      >
        <span className={cx("max-w-full truncate", isTakenOut && "text-muted line-through decoration-line-strong")} title={name}>
          {name}
        </span>
        <span className="text-sm text-muted">{isTakenOut ? t("proposals.takenOut") : valuesWords(document.summary)}</span>
      </Link>
    </li>
  );
});
