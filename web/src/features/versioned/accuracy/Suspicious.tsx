import { TriangleAlert } from "lucide-react";

import type { AccuracyReport } from "@/lib/api/accuracy";

import { WordsLink } from "./WordsLink";
import { fieldWords, valueText } from "./figures";

/** Verified values that everything else contradicts, each one click from its words; and documents that could not be measured. */
export function Suspicious({ report: { suspicious, failures, run } }: { report: AccuracyReport }) {
  return (
    <>
      {suspicious.length > 0 && (
        <section aria-labelledby="suspicious" className="flex flex-col gap-2 rounded-lg border border-warm-line bg-warm-soft p-3">
          <h2 id="suspicious" className="flex items-center gap-2 text-base">
            <TriangleAlert size={16} aria-hidden className="text-warm" /> Verified values to look at again
          </h2>
          <ul className="flex flex-col gap-2">
            {suspicious.map((one) => (
              <li key={`${one.document_id} ${one.path}`}>
                <WordsLink documentId={one.document_id} documentName={one.document_name} promptId={run.prompt_id} path={one.path} />
                <span className="wrap-anywhere">
                  {" "}
                  {fieldWords(one.field)} is verified as {valueText(one.expected)}; the run says {valueText(one.got)}. {one.suspicion}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {failures.length > 0 && (
        <section aria-labelledby="failures" className="flex flex-col gap-1">
          <h2 id="failures" className="text-base">
            Not measured
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
