import { RelativeTime } from "@/components/RelativeTime";
import type { Result } from "@/lib/api/results";
import { quoted } from "@/lib/format";
import { rich, t } from "@/lib/i18n";

/** The model that ran, when, and the very prompt that it was sent. */
export function HowMade({ result }: { result: Result }) {
  const { run } = result;
  const examples = examplesOf(result);
  return (
    <div className="flex flex-col gap-1 rounded-md border px-3 py-2 text-sm">
      <p className="text-muted">
        {rich("extraction.madeRelativeTimeBy", { relativeTime: <RelativeTime date={result.created_at} /> })}{" "}<span className="font-mono">{run.model}</span>
        {run.requested_model && run.requested_model !== run.model && t("extraction.requestedModelWasAskedFor", { requestedModel: run.requested_model })}
        {run.repairs > 0 && (run.repairs === 1 ? t("extraction.whichRepairedItsReplyOnce") : t("extraction.whichRepairedItsReplyRepairsTimes", { repairs: run.repairs }))}.
      </p>
      {examples.length > 0 && <p className="text-muted">{t("extraction.itWasShownVerifiedDocumentsAs", { examples: examples.join(", ") })}</p>}
      {result.prompt_revid !== "default" && <p className="text-muted">{t("extraction.versionPromptVersionOfThePrompt", { promptVersion: result.prompt_version })}</p>}
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap" tabIndex={0} aria-label={t("extraction.thePromptAsItWasSent")}>
        {run.prompt}
      </pre>
    </div>
  );
}

/** The names of the verified documents that went along with the prompt. Results of older versions say nothing of it. */
export function examplesOf(result: Result): string[] {
  const report = result.run.report as { examples?: { name: string }[] };
  return (report.examples ?? []).map(({ name }) => quoted(name));
}
