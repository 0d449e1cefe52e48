import { diffArrays } from "diff";

import { below } from "./fieldPath";

export interface LineChange {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Texts that differ in more lines, or lines in more words, count as wholly different: comparing takes too long. */
const MOST_LINES = 1000;
const MOST_WORDS = 400;

/** The shortest list of kept, added and removed lines that turns one text into the other. */
export function diffLines(before: string, after: string): LineChange[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return compared(old, now, MOST_LINES) ?? [...all("removed", old), ...all("added", now)];
}

/** How many lines one text has that the other has not. */
export function countLines(before: string, after: string): { removed: number; added: number } {
  const changes = diffLines(before, after);
  const count = (wanted: LineChange["kind"]): number => changes.filter(({ kind }) => kind === wanted).length;
  return { removed: count("removed"), added: count("added") };
}

function compared(old: string[], now: string[], most: number): LineChange[] | undefined {
  const parts = diffArrays(old, now, { maxEditLength: most });
  return parts?.flatMap(({ added, removed, value }) => all(added ? "added" : removed ? "removed" : "same", value));
}

const all = (kind: LineChange["kind"], texts: string[]): LineChange[] => texts.map((text) => ({ kind, text }));

/** A run of lines that are the same and are left out. */
export interface Gap {
  kind: "gap";
  count: number;
}

/** How many equal lines above and below the two compared texts were left out before. */
export interface LeftOut {
  above: number;
  below: number;
}

/** Only the changes, with `around` lines before and after each; a longer run of equal lines becomes a gap. */
export function nearChanges(changes: readonly LineChange[], around: number, leftOut?: LeftOut): (LineChange | Gap)[] {
  const places = changes.flatMap((change, place) => (change.kind === "same" ? [] : [place]));
  const shown: (LineChange | Gap)[] = [];
  const skip = (count: number): void => {
    const last = shown.at(-1);
    if (last?.kind === "gap") last.count += count;
    else if (count) shown.push({ kind: "gap", count });
  };
  skip(leftOut?.above ?? 0);
  let next = 0;
  changes.forEach((change, place) => {
    while (next < places.length && (places[next] ?? 0) + around < place) next += 1;
    if (next < places.length && (places[next] ?? 0) - around <= place) shown.push(change);
    else skip(1);
  });
  skip(leftOut?.below ?? 0);
  return shown;
}

export interface WordChange {
  text: string;
  isChanged: boolean;
}

const WORDS = /(\s+|[^\s\p{L}\p{N}])/u;
/** Lines with less than this share in common count as wholly different. */
const ALIKE = 0.3;

/** Both lines in pieces, with those marked that only one line has; null if they have too little in common. */
export function diffWords(before: string, after: string): { before: WordChange[]; after: WordChange[] } | null {
  const [old, now] = [before.split(WORDS).filter(Boolean), after.split(WORDS).filter(Boolean)];
  const changes = compared(old, now, MOST_WORDS);
  if (!changes) return null;
  const common = changes.reduce((sum, { kind, text }) => (kind === "same" ? sum + text.trim().length : sum), 0);
  if (common < ALIKE * Math.max(before.length, after.length)) return null;
  const side = (mine: LineChange["kind"]): WordChange[] =>
    changes.filter(({ kind }) => kind === "same" || kind === mine).map(({ kind, text }) => ({ text, isChanged: kind === mine }));
  return { before: side("removed"), after: side("added") };
}

/** Pairs of a removed line and the added one that stands for it, by their places in the list. */
export function pairsOf(changes: readonly { kind: string }[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let place = 0; place < changes.length; place += 1) {
    let removes = 0;
    while (changes[place + removes]?.kind === "removed") removes += 1;
    if (!removes) continue;
    let adds = 0;
    while (changes[place + removes + adds]?.kind === "added") adds += 1;
    for (let nth = 0; nth < Math.min(removes, adds); nth += 1) pairs.push([place + nth, place + removes + nth]);
    place += removes + adds - 1;
  }
  return pairs;
}

export interface FieldChange {
  path: string;
  kind: "added" | "removed" | "changed";
  before?: unknown;
  after?: unknown;
}

/** What differs between two JSON values, leaf by leaf: `lines.0.amount`. */
export function diffFields(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [leaves(before), leaves(after)];
  const changes: FieldChange[] = [];
  for (const [path, value] of old) {
    if (!now.has(path)) changes.push({ path, kind: "removed", before: value });
    else if (now.get(path) !== value) changes.push({ path, kind: "changed", before: value, after: now.get(path) });
  }
  for (const [path, value] of now) {
    if (!old.has(path)) changes.push({ path, kind: "added", after: value });
  }
  return changes;
}

function leaves(value: unknown, path = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value) && value.length) {
    value.forEach((item, index) => leaves(item, below(path, index), found));
  } else if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length) {
    for (const [key, item] of Object.entries(value)) leaves(item, below(path, key), found);
  } else if (value !== undefined) {
    found.set(path, typeof value === "object" && value !== null ? JSON.stringify(value) : value);
  }
  return found;
}
