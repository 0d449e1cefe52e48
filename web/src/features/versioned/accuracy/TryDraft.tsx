import { useState } from "react";

import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorNote } from "@/components/Notes";
import { isMeasuring, useAccuracyReport, useAccuracyRuns, useMeasuring } from "@/lib/api/accuracy";
import type { Measure } from "@/lib/api/accuracy";
import { percent, plural } from "@/lib/format";
import { useOrgPath } from "@/lib/organization";

import { Compared } from "./Compared";
import { MeasureForm, MeasureProgress } from "./MeasureForm";
import { Suspicious } from "./Suspicious";

interface TryDraftProps {
  promptId: string;
  /** What is written and not saved; null where nothing differs from what is saved. */
  draft: Measure["draft"];
  model?: string | null;
  /** Why it cannot be tried as it is. */
  blocked?: string | false;
}

/** Runs what is written, before it is saved, over verified documents, and shows what gets better and worse by it. */
export function TryDraft({ promptId, draft, model = null, blocked }: TryDraftProps) {
  const orgPath = useOrgPath();
  const [started, setStarted] = useState<string | null>(null);
  const { data: report, error } = useAccuracyReport(started);
  const { data } = useAccuracyRuns(promptId);
  const { start } = useMeasuring();
  const run = report?.run;
  const saved = data?.runs.find((one) => !one.is_draft && one.id !== started && one.done > 0 && !isMeasuring(one));
  const measuring = data?.runs.find((one) => one.id !== started && isMeasuring(one));
  const isOver = run && !isMeasuring(run);
  return (
    <div className="flex flex-col gap-4 p-3 sm:p-4">
      <p className="text-sm text-muted">
        {draft ? "This tries what you wrote, without saving it," : "Nothing differs from what is saved, so this measures the saved version,"} on documents whose values people verified.
      </p>
      {run && isMeasuring(run) ? (
        <MeasureProgress run={run} />
      ) : (
        <MeasureForm wanted={{ prompt_id: promptId, draft, model }} verb={draft ? "Try" : "Measure"} blocked={blocked} onStarted={(next) => setStarted(next.id)} />
      )}
      {error && <ErrorNote what="The run cannot be shown." error={error} />}
      {isOver && (
        <section aria-label="What came of it" className="flex flex-col gap-3">
          <p>
            {percent(run.score.f1)} right over {plural(run.done, "document")}
            {run.failed > 0 && `, ${run.failed} failed`}. {run.reason}
          </p>
          <Suspicious report={report} />
          {saved && <Compared before={saved.id} after={run.id} />}
          {measuring && <MeasureProgress run={measuring} />}
          {run.is_draft && !saved && !measuring && (
            <div className="flex flex-wrap items-center gap-2">
              <p>The saved version was not measured yet, so there is nothing to compare with.</p>
              <Button busy={start.isPending && "Starting"} onClick={() => start.mutate({ prompt_id: promptId, model, limit: run.total })}>
                Measure the saved version
              </Button>
            </div>
          )}
          {start.error && <ErrorNote what="Nothing was started." error={start.error} />}
        </section>
      )}
      <p>
        <ButtonLink to={orgPath(`prompts/${promptId}/accuracy`)}>All runs and fields</ButtonLink>
      </p>
    </div>
  );
}
