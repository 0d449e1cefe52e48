import { TriangleAlert } from "lucide-react";

import type { AccuracyReport } from "@/lib/api/accuracy";
import { t } from "@/lib/i18n";


import { WordsLink } from "./WordsLink";
import { fieldWords, valueText } from "./figures";

/** Verified values that everything else contradicts, each one click from its words; and documents that could not be measured. */
export function Suspicious({ report: { suspicious, failures, run } }: { report: AccuracyReport }) {
  return (
    <>
      {suspicious.length > 0 && (
        <section aria-labelledby="suspicious" className="flex flex-col gap-2 rounded-lg border border-warm-line bg-warm-soft p-3">
          <h2 id="suspicious" className="flex items-center gap-2 text-base">
            <TriangleAlert size={16} aria-hidden className="text-warm" />{" "}{t("accuracy.verifiedValuesToLookAtAgain")}
          </h2>
          <ul className="flex flex-col gap-2">
            {suspicious.map((one) => (
              <li key={`${one.document_id} ${one.path}`}>
                <WordsLink documentId={one.document_id} documentName={one.document_name} promptId={run.prompt_id} path={one.path} />
                <span className="wrap-anywhere">
                  {" "}
                  {t("accuracy.fieldIsVerifiedAsValueTextThe", { field: fieldWords(one.field), valueText: valueText(one.expected), valueText2: valueText(one.got), suspicion: one.suspicion })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {failures.length > 0 && (
        <section aria-labelledby="failures" className="flex flex-col gap-1">
          <h2 id="failures" className="text-base">
            {t("accuracy.notMeasured")}
          </h2>
          <ul className="text-sm text-bad">
            {failures.map((one) => (
              <li key={one.document_id}>
                {one.document_name}: {one.failure}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
