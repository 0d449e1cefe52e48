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

export interface Point {
  x: number;
  y: number;
  run: Scored;
}

/** Where the scores lie in a chart, oldest first. Scores that are all high get more of its height. */
export function pointsOf(runs: readonly Scored[], width: number, height: number): { points: Point[]; lowest: number } {
  const oldestFirst = [...runs].reverse();
  const least = Math.min(1, ...oldestFirst.map((run) => run.score.f1));
  const lowest = Math.max(0, Math.floor(least * 10 - 1) / 10);
  const step = oldestFirst.length > 1 ? width / (oldestFirst.length - 1) : 0;
  const points = oldestFirst.map((run, index) => ({
    x: oldestFirst.length > 1 ? index * step : width / 2,
    y: height - ((run.score.f1 - lowest) / (1 - lowest)) * height,
    run,
  }));
  return { points, lowest };
}
