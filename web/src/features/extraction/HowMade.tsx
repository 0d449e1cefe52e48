import { RelativeTime } from "@/components/RelativeTime";
import type { Result } from "@/lib/api/results";
import { quoted } from "@/lib/format";

/** The model that ran, when, and the very prompt that it was sent. */
export function HowMade({ result }: { result: Result }) {
  const { run } = result;
  const examples = examplesOf(result);
  return (
    <div className="flex flex-col gap-1 rounded-md border px-3 py-2 text-sm">
      <p className="text-muted">
        Made <RelativeTime date={result.created_at} /> by <span className="font-mono">{run.model}</span>
        {run.requested_model && run.requested_model !== run.model && ` (${run.requested_model} was asked for)`}
        {run.repairs > 0 && `, which repaired its reply ${run.repairs === 1 ? "once" : `${run.repairs} times`}`}.
      </p>
      {examples.length > 0 && <p className="text-muted">It was shown verified documents as examples: {examples.join(", ")}.</p>}
      {result.prompt_revid !== "default" && <p className="text-muted">Version {result.prompt_version} of the prompt.</p>}
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap" tabIndex={0} aria-label="The prompt as it was sent">
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
