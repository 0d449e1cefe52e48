import { CircleAlert, CircleX, FastForward, PencilLine, ShieldCheck, TriangleAlert } from "lucide-react";

import type { SheetCell, SheetRow } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";

import { told } from "./cells";

/** Nothing for what is in order; a sign for what a person should look at, or has looked at. */
export function CellMark({ cell }: { cell: SheetCell }) {
  if (cell.remark) return <Mark icon={TriangleAlert} look="text-warm" words={cell.remark} />;
  if (cell.doubtful) return <Mark icon={CircleAlert} look="text-bad" words={told(cell)} />;
  if (cell.verified && cell.match !== null) return <Mark icon={ShieldCheck} look="text-good" words={told(cell)} />;
  if (cell.edited) return <Mark icon={PencilLine} look="text-accent" words={told(cell)} />;
  return null;
}

export function RowMark({ row }: { row: SheetRow }) {
  if (row.state === "verified") return <Mark icon={ShieldCheck} look="text-good" words={t("sheets.verifiedByAPerson")} />;
  if (row.state === "rejected") return <Mark icon={CircleX} look="text-bad" words={t("sheets.rejectedByAPerson")} />;
  if (row.state === "auto_verified") return <Mark icon={FastForward} look="text-muted" words={t("sheets.releasedWithoutReview")} />;
  return row.doubts ? <span className="ml-auto shrink-0 text-xs text-muted">{t("sheets.countDoubt", { doubts: row.doubts })}</span> : null;
}

function Mark({ icon: Icon, look, words }: { icon: typeof CircleAlert; look: string; words: string }) {
  return (
    <span title={words} className={`shrink-0 ${look}`}>
      <Icon size={13} aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
