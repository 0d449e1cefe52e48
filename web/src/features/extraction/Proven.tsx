import { FastForward, ShieldCheck } from "lucide-react";

import type { Result } from "@/lib/api/results";
import { t } from "@/lib/i18n";


import { settledCount } from "./tree";

import type { Leaf } from "./tree";

/** How many values of a result are settled, by the document or by a person, and whether a person has seen them all. */
export function Proven({ result, leaves }: { result: Result; leaves: Leaf[] }) {
  const { proven, settled, of } = settledCount(leaves);
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      {of > 0 && (settled === proven ? t("extraction.settledOfOfProven", { settled, of }) : t("extraction.settledOfOfSettled", { settled, of }))}
      {result.auto_verified && !result.is_verified && (
        <span className="inline-flex items-center gap-1" title={t("extraction.confidentEnoughToBeReleasedWithout")}>
          <FastForward size={14} aria-hidden />{" "}{t("extraction.releasedWithoutReview")}
        </span>
      )}
      {result.is_verified && (
        <span className="inline-flex items-center gap-1 text-good">
          <ShieldCheck size={14} aria-hidden />{" "}{t("common.verified")}
        </span>
      )}
    </span>
  );
}
