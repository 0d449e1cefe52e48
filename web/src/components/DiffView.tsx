import { cx } from "@/lib/cx";
import { diffFields, diffLines, diffWords, nearChanges, pairsOf } from "@/lib/diff";
import type { LineChange } from "@/lib/diff";
import { plural } from "@/lib/format";

const SIGN = { same: " ", added: "+", removed: "-", changed: "~" } as const;
const SPOKEN = { same: "", added: "added: ", removed: "removed: ", changed: "changed: " } as const;
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
}

const LINES_AROUND = 3;

/** Two versions of a text, line by line. */
export function LineDiff({ before, after, label, prose = false }: LineDiffProps) {
  const changes = diffLines(before, after);
  if (changes.every((change) => change.kind === "same")) return <p className="text-muted">No differences.</p>;
  const shownLines = prose ? nearChanges(changes, LINES_AROUND) : changes;
  const pairs = pairsOf(prose ? shownLines : []);
  return (
    <div
      role="region"
      aria-label={label}
      // A region that scrolls must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx("overflow-x-auto rounded-md border bg-surface py-1 text-sm", !prose && "font-mono")}
    >
      {shownLines.map((change, index) =>
        change.kind === "gap" ? (
          <p key={index} className="bg-sunken px-2 text-xs leading-6 text-muted">
            {plural(change.count, "line")} as before
          </p>
        ) : (
          <div key={index} className={cx("flex px-2", prose ? "whitespace-pre-wrap" : "whitespace-pre", LOOK[change.kind])}>
            <span aria-hidden className="w-4 shrink-0 font-mono select-none">
              {SIGN[change.kind]}
            </span>
            <span className="sr-only">{SPOKEN[change.kind]}</span>
            <span className={prose ? "min-w-0 wrap-anywhere" : undefined}>
              <LineText change={change} other={shownLines[pairs.get(index) ?? -1]} />
            </span>
          </div>
        ),
      )}
    </div>
  );
}

/** A line; beside the one that it replaces, or that replaces it, the words that differ are marked. */
function LineText({ change, other }: { change: LineChange; other?: { kind: string; text?: string } }) {
  if (other?.text === undefined) return change.text || " ";
  const isOld = change.kind === "removed";
  const words = isOld ? diffWords(change.text, other.text)?.before : diffWords(other.text, change.text)?.after;
  if (!words) return change.text || " ";
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
  if (!changes.length) return <p className="text-muted">No differences.</p>;
  return (
    <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-md border bg-surface text-sm">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`} className={cx("flex flex-wrap gap-x-2 px-2 py-0.5", LOOK[change.kind])}>
          <span aria-hidden className="w-2 font-mono">
            {SIGN[change.kind]}
          </span>
          <span className="sr-only">{SPOKEN[change.kind]}</span>
          <span className="font-mono">{change.path || "value"}</span>
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
