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
