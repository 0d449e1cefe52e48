import { useState } from "react";

import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorNote } from "@/components/Notes";
import { isMeasuring, useAccuracyReport, useAccuracyRuns, useMeasuring } from "@/lib/api/accuracy";
import type { Measure } from "@/lib/api/accuracy";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";
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
        {draft ? t("accuracy.thisTriesWhatYouWroteWithout") : t("accuracy.nothingDiffersFromWhatIsSaved")}
      </p>
      {run && isMeasuring(run) ? (
        <MeasureProgress run={run} />
      ) : (
        <MeasureForm wanted={{ prompt_id: promptId, draft, model }} verb={draft ? t("accuracy.try") : t("accuracy.measure")} blocked={blocked} onStarted={(next) => setStarted(next.id)} />
      )}
      {error && <ErrorNote what={t("accuracy.theRunCannotBeShown")} error={error} />}
      {isOver && (
        <section aria-label={t("accuracy.whatCameOfIt")} className="flex flex-col gap-3">
          <p>
            {t("accuracy.f1RightOverCountDocument", { f1: percent(run.score.f1), done: run.done })}
            {run.failed > 0 && t("accuracy.failedFailed", { failed: run.failed })}. {run.reason}
          </p>
          <Suspicious report={report} />
          {saved && <Compared before={saved.id} after={run.id} />}
          {measuring && <MeasureProgress run={measuring} />}
          {run.is_draft && !saved && !measuring && (
            <div className="flex flex-wrap items-center gap-2">
              <p>{t("accuracy.theSavedVersionWasNotMeasured")}</p>
              <Button busy={start.isPending && t("common.starting")} onClick={() => start.mutate({ prompt_id: promptId, model, limit: run.total })}>
                {t("accuracy.measureTheSavedVersion")}
              </Button>
            </div>
          )}
          {start.error && <ErrorNote what={t("accuracy.nothingWasStarted")} error={start.error} />}
        </section>
      )}
      <p>
        <ButtonLink to={orgPath(`prompts/${promptId}/accuracy`)}>{t("accuracy.allRunsAndFields")}</ButtonLink>
      </p>
    </div>
  );
}
