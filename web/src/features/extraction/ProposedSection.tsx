import { useId, useMemo } from "react";

import { Badge } from "@/components/Badge";
import type { Result } from "@/lib/api/results";
import { useThreshold } from "@/lib/api/review";
import { t } from "@/lib/i18n";

import { Counts } from "./Counts";
import { ResultFields } from "./ResultFields";
import { fieldsOf, leavesOf } from "./tree";
import { useResultChanges } from "./useExtraction";

import type { FieldEvents } from "./ResultFields";

interface ProposedSectionProps extends FieldEvents {
  result: Result;
}

/** A result that the agent proposes: looked at and corrected as any other, and not yet one of the document's results. */
export function ProposedSection({ result, ...events }: ProposedSectionProps) {
  const id = useId();
  const threshold = useThreshold(result.prompt_id);
  const nodes = useMemo(() => fieldsOf(result, threshold), [result, threshold]);
  const leaves = useMemo(() => leavesOf(nodes), [nodes]);
  const changes = useResultChanges(result.document_id, result.prompt_revid);
  return (
    <section aria-labelledby={`${id}-title`} className="border-b last:border-b-0">
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-2 gap-y-1 bg-surface px-4 py-1.5">
        <h2 id={`${id}-title`} className="min-w-0 truncate text-base">
          {result.prompt_name}
        </h2>
        <Badge tone="warm">{t("common.proposed")}</Badge>
        <Counts result={result} leaves={leaves} />
      </header>
      <div className="px-4 pb-3">
        {nodes.length ? (
          <ResultFields result={result} nodes={nodes} changes={changes} {...events} />
        ) : (
          <p className="text-sm text-muted">{t("extraction.theResultHasNoFields")}</p>
        )}
      </div>
    </section>
  );
}
