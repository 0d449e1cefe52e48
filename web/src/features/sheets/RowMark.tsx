import { CircleX, FastForward, ShieldCheck } from "lucide-react";

import type { SheetRow } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";

/** What people have said of a document's result, else how many of its values they should look at. */
export function RowMark({ row }: { row: SheetRow }) {
  if (row.state === "verified") return <Mark icon={ShieldCheck} look="text-good" words={t("sheets.verifiedByAPerson")} />;
  if (row.state === "rejected") return <Mark icon={CircleX} look="text-bad" words={t("sheets.rejectedByAPerson")} />;
  if (row.state === "auto_verified") return <Mark icon={FastForward} look="text-muted" words={t("sheets.releasedWithoutReview")} />;
  return row.doubts ? <span className="ml-auto shrink-0 text-xs text-muted max-sm:sr-only">{t("lib.countToCheck", { count: row.doubts })}</span> : null;
}

function Mark({ icon: Icon, look, words }: { icon: typeof CircleX; look: string; words: string }) {
  return (
    <span title={words} className={`shrink-0 ${look}`}>
      <Icon size={13} aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
