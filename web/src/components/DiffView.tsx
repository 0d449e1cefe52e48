import { useMemo } from "react";

import { cx } from "@/lib/cx";
import { diffFields, diffLines } from "@/lib/diff";
import { t } from "@/lib/i18n";

const SIGN = { same: " ", added: "+", removed: "-", changed: "~" } as const;
const SPOKEN = { same: "", get added() { return t("components.added"); }, get removed() { return t("components.removed"); }, get changed() { return t("components.changed"); } } as const;
const LOOK = {
  same: "",
  added: "bg-good-soft text-good",
  removed: "bg-bad-soft text-bad",
  changed: "bg-accent-soft",
} as const;

interface LineDiffProps {
  before: string;
  after: string;
  label: string;
}

/** Two versions of a text, line by line. */
export function LineDiff({ before, after, label }: LineDiffProps) {
  const changes = useMemo(() => diffLines(before, after), [before, after]);
  if (changes.every((change) => change.kind === "same")) return <p className="text-muted">{t("common.noDifferences")}</p>;
  return (
    <div
      role="region"
      aria-label={label}
      // What scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-md border bg-surface py-1 font-mono text-sm"
    >
      {changes.map((change, index) => (
        <div key={index} className={cx("flex px-2 whitespace-pre", LOOK[change.kind])}>
          <span aria-hidden className="w-4 shrink-0 select-none">
            {SIGN[change.kind]}
          </span>
          <span className="sr-only">{SPOKEN[change.kind]}</span>
          <span>{change.text || " "}</span>
        </div>
      ))}
    </div>
  );
}

/** Two JSON values, field by field, in the words of the fields. */
export function FieldDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const changes = diffFields(before, after);
  if (!changes.length) return <p className="text-muted">{t("common.noDifferences")}</p>;
  return (
    <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-md border bg-surface text-sm">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`} className={cx("flex flex-wrap gap-x-2 px-2 py-0.5", LOOK[change.kind])}>
          <span aria-hidden className="w-2 font-mono">
            {SIGN[change.kind]}
          </span>
          <span className="sr-only">{SPOKEN[change.kind]}</span>
          <span className="font-mono">{change.path || t("components.value")}</span>
          {"before" in change && <s className="wrap-anywhere">{shown(change.before)}</s>}
          {"after" in change && <span className="wrap-anywhere">{shown(change.after)}</span>}
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
