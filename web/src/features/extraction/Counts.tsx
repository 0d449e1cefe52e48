import { FastForward, ShieldCheck } from "lucide-react";

import type { Result } from "@/lib/api/results";
import { t } from "@/lib/i18n";
import { tallyWords } from "@/lib/known";

import { tallied } from "./tree";

import type { Leaf } from "./tree";

/** How many values of a result are sure, to check and checked, and whether a person has seen them all. */
export function Counts({ result, leaves }: { result: Result; leaves: Leaf[] }) {
  const tally = tallied(leaves);
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      {tally.values > 0 && tallyWords(tally)}
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
