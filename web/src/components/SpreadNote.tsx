import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { usePicture } from "@/lib/api/pictures";
import { useSpreading, useSpreadPreview } from "@/lib/api/spreads";
import type { SpreadChange } from "@/lib/api/spreads";
import { noteCorrection, useCorrection } from "@/lib/corrections";
import type { Correction } from "@/lib/corrections";
import { cx } from "@/lib/cx";
import { nameOf } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { Button } from "./Button";
import { ErrorNote } from "./Notes";

interface SpreadNoteProps {
  promptRevid: string | undefined;
  /** Where only the corrections of one document matter. */
  documentId?: string;
  className?: string;
}

/** After a correction: what it would change in documents that look alike. Nothing where it changes nothing. */
export default function SpreadNote({ promptRevid, documentId, className }: SpreadNoteProps) {
  const correction = useCorrection(promptRevid, documentId);
  if (!correction) return null;
  return <Offered key={Object.values(correction).join(" ")} correction={correction} className={className} />;
}

function Offered({ correction, className }: { correction: Correction; className?: string }) {
  const { data: preview } = useSpreadPreview(correction);
  const { apply, undo } = useSpreading(correction);
  const [isShown, setIsShown] = useState(false);
  const [spread, setSpread] = useState<{ id: string; changes: SpreadChange[] } | null>(null);
  const name = words(nameOf(correction.path));
  const error = apply.error ?? undo.error;
  if (!spread && !preview?.changes.length) return null;
  const changes = spread?.changes ?? preview?.changes ?? [];
  const count = changes.length;
  return (
    <section aria-label={t("spread.correctionForOthers")} className={cx("flex flex-col gap-2 rounded-md border border-warm-line bg-warm-soft p-2", className)}>
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="min-w-40 flex-1">
          {undo.data
            ? t("spread.restored", { count: undo.data.restored })
            : spread
              ? t("spread.changed", { count, name })
              : t("spread.offer", { alike: preview?.alike ?? 0, count, name })}
        </p>
        {!undo.data && (
          <Button small aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
            {isShown ? t("spread.hide") : t("spread.show")}
          </Button>
        )}
        {spread ? (
          !undo.data && (
            <Button small busy={undo.isPending && t("common.saving")} onClick={() => undo.mutate(spread.id)}>
              {t("common.undo")}
            </Button>
          )
        ) : (
          <Button
            small
            variant="primary"
            busy={apply.isPending && t("common.saving")}
            onClick={() => apply.mutate(changes, { onSuccess: (made) => setSpread({ id: made.spread_id, changes: made.changes }) })}
          >
            {t("spread.apply")}
          </Button>
        )}
        <Button small variant="quiet" onClick={() => noteCorrection(null)}>
          {spread ? t("common.close") : t("spread.notNow")}
        </Button>
      </div>
      {error && <ErrorNote error={error} onDismiss={() => (apply.reset(), undo.reset())} />}
      {isShown && !undo.data && (
        <ul aria-label={t("spread.beforeAndAfter")} className="flex max-h-60 flex-col divide-y overflow-y-auto rounded-md border bg-surface">
          {changes.map((change) => (
            <ChangeLine key={`${change.document_id} ${change.path}`} change={change} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ChangeLine({ change: { document_id: id, document_name: name, before, after } }: { change: SpreadChange }) {
  const orgPath = useOrgPath();
  const { source } = usePicture(id, "thumbnail", { enabled: true });
  return (
    <li className="flex items-center gap-2 px-2 py-1">
      <span aria-hidden className={cx("h-10 w-8 shrink-0 overflow-hidden rounded-xs border", source ? "bg-paper" : "bg-sunken")}>
        {source && <img src={source} alt="" className="size-full object-cover object-top" />}
      </span>
      <Link to={orgPath(`documents/${id}`)} className="w-1/3 min-w-0 truncate hover:underline">
        {name}
      </Link>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <del dir="auto" className="text-muted">
          <span className="sr-only">{t("spread.before")} </span>
          {shown(before)}
        </del>
        <span aria-hidden>→</span>
        <ins dir="auto" className="font-medium no-underline">
          <span className="sr-only">{t("spread.after")} </span>
          {shown(after)}
        </ins>
      </span>
    </li>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("spread.empty");
  if (Array.isArray(value)) return t("spread.rows", { count: value.length });
  return typeof value === "string" ? value : JSON.stringify(value);
}
