import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { ButtonLink } from "@/components/ButtonLink";
import { Chart } from "@/components/Chart";
import type { ChartPoint } from "@/components/Chart";
import { Field, Select } from "@/components/Field";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { isMeasuring, useAccuracyReport, useAccuracyRuns } from "@/lib/api/accuracy";
import type { AccuracyRun } from "@/lib/api/accuracy";
import { useModelNames } from "@/lib/api/models";
import { PROMPTS, useAllPrompts } from "@/lib/api/prompts";
import { useVersions } from "@/lib/api/versioned";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { Compared } from "./Compared";
import { FieldScores } from "./FieldScores";
import { MeasureForm, MeasureProgress } from "./MeasureForm";
import { RunsTable } from "./RunsTable";
import { StraightThroughPart } from "./StraightThroughPart";
import { Suspicious } from "./Suspicious";
import { pointsOf, versionWords } from "./figures";

/** How right a prompt is, measured against what people verified; over versions, field by field, run against run. */
export default function AccuracyPage() {
  const { promptId = "" }: { promptId?: string } = useParams({ strict: false });
  const orgPath = useOrgPath();
  const { data: prompts } = useAllPrompts();
  const { data, error, refetch } = useAccuracyRuns(promptId);
  const [{ run: wanted, with: other }, choose] = useChosen();
  const name = promptId === "default" ? "Document Summary" : prompts?.find((prompt) => prompt.prompt_id === promptId)?.name;
  const runs = data?.runs ?? [];
  const underWay = runs.find(isMeasuring);
  const chosen = runs.find((run) => run.id === wanted) ?? runs[0];
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <PageHeader title={name ? t("accuracy.accuracyOfName", { name }) : t("common.accuracy")}>
        {promptId !== "default" && <ButtonLink to={orgPath(`prompts/${promptId}`)}>{t("accuracy.openPrompt")}</ButtonLink>}
        <ButtonLink to={orgPath(`sheets/${promptId}`)}>{t("accuracy.openSheet")}</ButtonLink>
      </PageHeader>
      {error && <ErrorNote what={t("accuracy.theRunsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("accuracy.theRuns")} />}
      {data && (
        <>
          <section aria-label={t("accuracy.measure")} className="rounded-lg border bg-surface p-3">
            {underWay ? <MeasureProgress run={underWay} /> : <Measure promptId={promptId} onStarted={(run) => choose({ run: run.id })} />}
          </section>
          {runs.length > 0 ? (
            <section aria-label={t("accuracy.runs")} className="flex flex-col gap-3">
              <Scores points={pointsOf(runs, chosen?.id ?? null)} />
              <RunsTable runs={runs} chosen={chosen?.id ?? null} onChoose={(run) => choose({ run, with: undefined })} />
            </section>
          ) : (
            <EmptyState title={t("accuracy.nothingWasMeasuredYetARun")} />
          )}
          {chosen && <Chosen key={chosen.id} run={chosen} runs={runs} other={other} onOther={(id) => choose({ run: chosen.id, with: id })} />}
        </>
      )}
      <StraightThroughPart promptId={promptId} />
    </div>
  );
}

/** How right the values were, from run to run. The same figures stand in the table below it. */
function Scores({ points }: { points: ChartPoint[] }) {
  if (!points.length) return null;
  const [first, last] = [points[0]?.value, points.at(-1)?.value];
  const told = t("accuracy.accuracyOverCountRunsFromF1", { count: points.length, f1: percent(first), f12: percent(last) });
  return <Chart kind="line" title={t("common.accuracy")} told={told} heads={[t("common.version"), t("common.accuracy")]} points={points} write={percent} left={52} tabled={false} />;
}

/** Which version, with which model, on how many documents. */
function Measure({ promptId, onStarted }: { promptId: string; onStarted: (run: AccuracyRun) => void }) {
  const { data: versions = [] } = useVersions(PROMPTS, promptId === "default" ? null : promptId);
  const { data: models = [] } = useModelNames();
  const [version, setVersion] = useState("");
  const [model, setModel] = useState("");
  return (
    <MeasureForm wanted={{ prompt_id: promptId, prompt_revid: version || null, model: model || null }} verb={t("accuracy.measure")} onStarted={onStarted}>
      {versions.length > 1 && (
        <Field label={t("common.version")} className="w-44">
          {(control) => (
            <Select {...control} value={version} onChange={(event) => setVersion(event.target.value)}>
              {versions.map((item, index) => (
                <option key={item.prompt_revid} value={index === 0 ? "" : item.prompt_revid}>
                  {t("accuracy.versionPromptVersion", { promptVersion: item.prompt_version })}
                  {index === 0 && ` ${t("common.newestInBrackets")}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label={t("common.model")} className="w-56">
        {(control) => (
          <Select {...control} value={model} onChange={(event) => setModel(event.target.value)}>
            <option value="">{t("accuracy.thePromptsOwn")}</option>
            {models.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </MeasureForm>
  );
}

interface ChosenProps {
  run: AccuracyRun;
  runs: readonly AccuracyRun[];
  other: string | undefined;
  onOther: (runId: string | undefined) => void;
}

function Chosen({ run, runs, other, onOther }: ChosenProps) {
  const { data: report, error, refetch } = useAccuracyReport(run.id);
  const others = runs.filter((one) => one.id !== run.id && one.done > 0);
  const before = others.find((one) => one.id === other);
  return (
    <section aria-labelledby="chosen-run" className="flex flex-col gap-3">
      <h2 id="chosen-run" className="text-lg">
        {versionWords(run)}: {percent(run.score.f1)}
      </h2>
      {run.reason && !isMeasuring(run) && <ErrorNote what={run.state === "failed" ? t("accuracy.theRunEndedEarly") : t("accuracy.theLastDocumentThatFailed")} error={run.reason} />}
      {error && <ErrorNote what={t("accuracy.theRunCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!report && !error && <Loading what={t("accuracy.theRun")} />}
      {report && <Suspicious report={report} />}
      {report && report.fields.length > 0 && (
        <>
          <p className="text-muted">
            {t("accuracy.countValueRightWrongWrongNear", { right: run.score.right, wrong: run.score.wrong, near: run.score.near, missed: run.score.missed, extra: run.score.extra, done: run.done })}
          </p>
          <FieldScores report={report} />
        </>
      )}
      {others.length > 0 && run.done > 0 && (
        <>
          <Field label={t("accuracy.compareWith")} className="max-w-96">
            {(control) => (
              <Select {...control} value={before?.id ?? ""} onChange={(event) => onOther(event.target.value || undefined)}>
                <option value="">{t("accuracy.noOtherRun")}</option>
                {others.map((one) => (
                  <option key={one.id} value={one.id}>
                    {versionWords(one)}, {one.model}, {percent(one.score.f1)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {before && <Compared before={before.id} after={run.id} />}
        </>
      )}
    </section>
  );
}

interface ChosenSearch {
  run?: string;
  with?: string;
}

/** The run that is looked at and the one it is compared with stand in the address. */
function useChosen(): [ChosenSearch, (next: ChosenSearch) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);
  return [{ run: text(raw.run), with: text(raw.with) }, (next) => void navigate({ to: ".", search: next, replace: true })];
}
