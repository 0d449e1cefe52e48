import { Info } from "lucide-react";

import type { Result } from "@/lib/api/results";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";

import { namedPath, problemsByPath } from "./problems";

interface MergeReport {
  gaps?: string[];
  duplicates?: string[];
  conflicts?: { path: string; kept: unknown; other: unknown; pages: string }[];
  mended?: string[];
  asked_again?: { path: string; was: unknown; now: unknown }[];
  notes?: string[];
}

/** What a person should know about how a result came about, in plain sentences. */
export function reportLines(result: Result): { text: string; isBad: boolean }[] {
  const report = result.run.report as MergeReport;
  const gaps = new Set(report.gaps ?? []);
  return [
    ...(report.notes ?? []).map((text) => ({ text, isBad: false })),
    ...[...gaps].map((gap) => ({ text: t("extraction.nothingCameOfGap", { gap }), isBad: true })),
    ...(problemsByPath(result).get("") ?? [])
      .filter((text) => !gaps.has(text.replace(/^Missing: /, "")))
      .map((text) => ({ text, isBad: true })),
    ...(report.conflicts ?? []).map(({ path, kept, other, pages }) => ({
      text: t("extraction.pathKeptIsKeptPagesSay", { path: namedPath(path), kept: shown(kept), pages, other: shown(other) }),
      isBad: false,
    })),
    ...(report.duplicates ?? []).map((text) => ({ text: t("extraction.textTheyAreTakenOnce", { text }), isBad: false })),
    ...(report.asked_again ?? [])
      .filter(({ was, now }) => was !== now)
      .map(({ path, was, now }) => ({
        text: t("extraction.pathWasCorrected", { path: namedPath(path), was: shown(was), now: shown(now) }),
        isBad: false,
      })),
    ...(report.mended ?? []).map((text) => ({ text: t("extraction.theModelsReplyWasRepairedText", { text }), isBad: true })),
  ];
}

function shown(value: unknown): string {
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

export function Report({ result }: { result: Result }) {
  const lines = [...new Map(reportLines(result).map((line) => [line.text, line])).values()];
  if (!lines.length) return null;
  return (
    <ul aria-label={t("extraction.aboutThisResult")} className="mb-2 flex flex-col gap-1 rounded-md bg-sunken px-3 py-2 text-sm">
      {lines.map(({ text, isBad }) => (
        <li key={text} className={isBad ? "flex gap-2 text-bad" : "flex gap-2 text-muted"}>
          <Info size={14} aria-hidden className="mt-0.5 shrink-0" />
          <span className="wrap-anywhere">{text}</span>
        </li>
      ))}
    </ul>
  );
}
