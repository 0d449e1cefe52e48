import type { ChartPoint } from "@/components/Chart";
import type { AccuracyComparison, AccuracyRun } from "@/lib/api/accuracy";
import { stepsOf } from "@/lib/fieldPath";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

/** A run that has a score to show. */
export type Scored = AccuracyRun & { score: { f1: number } };

export function isScored(run: AccuracyRun): run is Scored {
  return run.score.f1 !== null;
}

/** "Version 3" or "Draft of version 3". */
export function versionWords(run: Pick<AccuracyRun, "is_draft" | "prompt_version">): string {
  return run.is_draft ? t("accuracy.draftOfVersionPromptVersion", { promptVersion: run.prompt_version }) : t("accuracy.versionPromptVersion", { promptVersion: run.prompt_version });
}

/** "lines.unit_price" as "Lines, unit price". */
export function fieldWords(field: string): string {
  const [first = "", ...rest] = stepsOf(field).map((step) => words(String(step)));
  return [first, ...rest.map((step) => step.charAt(0).toLowerCase() + step.slice(1))].join(", ");
}

/** "2 fields better, 1 worse, on 24 documents." */
export function comparedWords({ fields, documents, left_out: leftOut }: Pick<AccuracyComparison, "fields" | "documents" | "left_out">): string {
  const count = (change: string): number => fields.filter((field) => field.change === change).length;
  const [better, worse] = [count("better"), count("worse")];
  const said = better || worse ? t("accuracy.countFieldBetterWorseWorse", { better, worse }) : t("accuracy.noFieldIsBetterOrWorse");
  const left = leftOut ? t("accuracy.countDocumentThatOnlyOneOf", { leftOut }) : "";
  return t("accuracy.saidOnCountDocumentLeft", { said, documents, left });
}

/** A value as it is shown beside another. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("accuracy.nothing");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The scores of runs in a chart, oldest first; none for a single run. */
export function pointsOf(runs: readonly AccuracyRun[], chosen: string | null): ChartPoint[] {
  const scored = runs.filter(isScored).toReversed();
  if (scored.length < 2) return [];
  return scored.map((run) => ({
    key: run.id,
    label: run.is_draft ? t("accuracy.draft") : `v${run.prompt_version}`,
    value: run.score.f1,
    chosen: run.id === chosen,
    hollow: run.is_draft,
  }));
}
