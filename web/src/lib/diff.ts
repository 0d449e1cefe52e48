export interface LineChange {
  kind: "same" | "added" | "removed";
  text: string;
}

const TOO_LONG = 4000;

/** The shortest list of kept, added and removed lines that turns one text into the other. */
export function diffLines(before: string, after: string): LineChange[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = changed(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [
    ...old.slice(0, start).map(same),
    ...middle,
    ...old.slice(old.length - end).map(same),
  ];
}

/** A run of lines that are the same and are left out. */
export interface Gap {
  kind: "gap";
  count: number;
}

const LEFT_OUT = /^\[… (\d+) lines as they are …\]$/;

/** How many lines a line stands for: the server leaves out lines far from every change, and says so in their place. */
export function leftOut(line: string): number {
  return Number(LEFT_OUT.exec(line)?.[1] ?? 0);
}

/** Only what changed, with so many lines around it; a longer run of lines that are the same becomes a gap. */
export function nearChanges(changes: readonly LineChange[], around: number): (LineChange | Gap)[] {
  const places = changes.flatMap((change, place) => (change.kind === "same" ? [] : [place]));
  const shown: (LineChange | Gap)[] = [];
  let next = 0;
  changes.forEach((change, place) => {
    while (next < places.length && (places[next] ?? 0) + around < place) next += 1;
    const isNear = next < places.length && (places[next] ?? 0) - around <= place;
    const last = shown.at(-1);
    const hidden = change.kind === "same" ? leftOut(change.text) : 0;
    if (isNear && !hidden) shown.push(change);
    else if (last?.kind === "gap") last.count += hidden || 1;
    else shown.push({ kind: "gap", count: hidden || 1 });
  });
  return shown;
}

function changed(old: string[], now: string[]): LineChange[] {
  if (old.length * now.length > TOO_LONG * TOO_LONG) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      length[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const result: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      result.push(same(old[i] ?? ""));
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      result.push(removed(old[i] ?? ""));
      i += 1;
    } else {
      result.push(added(now[j] ?? ""));
      j += 1;
    }
  }
  return result;
}

export interface WordChange {
  text: string;
  isChanged: boolean;
}

const WORDS = /(\s+|[^\s\p{L}\p{N}])/u;
/** Lines with less than this share in common are told apart as a whole. */
const ALIKE = 0.3;

/** Both lines in pieces, those marked that only one of them has; null when they have too little in common. */
export function diffWords(before: string, after: string): { before: WordChange[]; after: WordChange[] } | null {
  const [old, now] = [before.split(WORDS).filter(Boolean), after.split(WORDS).filter(Boolean)];
  const changes = changed(old, now);
  const common = changes.reduce((sum, { kind, text }) => (kind === "same" ? sum + text.trim().length : sum), 0);
  if (common < ALIKE * Math.max(before.length, after.length)) return null;
  const side = (mine: LineChange["kind"]): WordChange[] =>
    changes.filter(({ kind }) => kind === "same" || kind === mine).map(({ kind, text }) => ({ text, isChanged: kind === mine }));
  return { before: side("removed"), after: side("added") };
}

/** Pairs of a removed and an added line that stand for one another, by their places in the list. */
export function pairsOf(changes: readonly { kind: string }[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let place = 0; place < changes.length; place += 1) {
    let removes = 0;
    while (changes[place + removes]?.kind === "removed") removes += 1;
    if (!removes) continue;
    let adds = 0;
    while (changes[place + removes + adds]?.kind === "added") adds += 1;
    for (let nth = 0; nth < Math.min(removes, adds); nth += 1) {
      pairs.set(place + nth, place + removes + nth);
      pairs.set(place + removes + nth, place + nth);
    }
    place += removes + adds - 1;
  }
  return pairs;
}

const same = (text: string): LineChange => ({ kind: "same", text });
const added = (text: string): LineChange => ({ kind: "added", text });
const removed = (text: string): LineChange => ({ kind: "removed", text });

export interface FieldChange {
  path: string;
  kind: "added" | "removed" | "changed";
  before?: unknown;
  after?: unknown;
}

/** What differs between two JSON values, leaf by leaf: `lines[0].amount`. */
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
    value.forEach((item, index) => leaves(item, `${path}[${index}]`, found));
  } else if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length) {
    for (const [key, item] of Object.entries(value)) leaves(item, path ? `${path}.${key}` : key, found);
  } else if (value !== undefined) {
    found.set(path, typeof value === "object" && value !== null ? JSON.stringify(value) : value);
  }
  return found;
}
