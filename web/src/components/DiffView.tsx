import { useMemo } from "react";

import { cx } from "@/lib/cx";
import { diffFields, diffLines, diffWords, nearChanges, pairsOf } from "@/lib/diff";
import type { Gap, LeftOut, LineChange, WordChange } from "@/lib/diff";
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
  /** Running text: long lines are broken, and lines far from every change are left out. */
  prose?: boolean;
  /** Of running text, what was left out of both texts before; null when that is not known, and then no line is left out. */
  leftOut?: LeftOut | null;
  /** One of several parts of something that is named already: no landmark of its own. */
  isPart?: boolean;
}

const LINES_AROUND = 3;
const NOTHING: LeftOut = { above: 0, below: 0 };

/** Two versions of a text, line by line. */
export function LineDiff({ before, after, label, prose = false, leftOut = NOTHING, isPart = false }: LineDiffProps) {
  const changes = useMemo(() => diffLines(before, after), [before, after]);
  if (changes.every((change) => change.kind === "same")) return <p className="text-muted">{t("common.noDifferences")}</p>;
  const shownLines = prose && leftOut ? nearChanges(changes, LINES_AROUND, leftOut) : changes;
  const words = prose ? changedWords(shownLines) : null;
  return (
    <div
      role={isPart ? "group" : "region"}
      aria-label={label}
      // What scrolls must be reachable by keyboard.
      tabIndex={0}
      className={cx("overflow-x-auto rounded-md border bg-surface py-1 text-sm", !prose && "font-mono")}
    >
      {shownLines.map((change, index) =>
        change.kind === "gap" ? (
          <p key={index} className="bg-sunken px-2 text-xs leading-6 text-muted">
            {t("components.countLineAsBefore", { count: change.count })}
          </p>
        ) : (
          <div key={index} className={cx("flex px-2", prose ? "whitespace-pre-wrap" : "whitespace-pre", LOOK[change.kind])}>
            <span aria-hidden className="w-4 shrink-0 font-mono select-none">
              {SIGN[change.kind]}
            </span>
            <span className="sr-only">{SPOKEN[change.kind]}</span>
            <span className={prose ? "min-w-0 wrap-anywhere" : undefined}>
              <LineText text={change.text} words={words?.get(index)} />
            </span>
          </div>
        ),
      )}
    </div>
  );
}

/** The words of each line that stands for another one, by its place. */
function changedWords(lines: readonly (LineChange | Gap)[]): Map<number, WordChange[]> {
  const found = new Map<number, WordChange[]>();
  for (const [old, now] of pairsOf(lines)) {
    const words = diffWords(textOf(lines[old]), textOf(lines[now]));
    if (words) found.set(old, words.before).set(now, words.after);
  }
  return found;
}

function textOf(line: LineChange | Gap | undefined): string {
  return line && line.kind !== "gap" ? line.text : "";
}

/** A line. If it stands for a line of the other text, the words that differ are marked. */
function LineText({ text, words }: { text: string; words?: WordChange[] }) {
  if (!words) return text || " ";
  return words.map(({ text, isChanged }, index) =>
    isChanged ? (
      <span key={index} className="font-semibold underline decoration-2 underline-offset-2">
        {text}
      </span>
    ) : (
      text
    ),
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
