import { diffArrays } from "diff";

const BREAK = /\r\n|\r|\n/;
const BREAKS = /\r\n|\r|\n/g;

/** The text as an editor shows it: every line ends with a line feed. */
export function plainEnds(text: string): string {
  return text.includes("\r") ? text.replace(BREAKS, "\n") : text;
}

/**
 * The text with the line ends of the old one, line by line where they are mixed.
 * A line that is new takes the end of the line above it, or of the one below if there is none above.
 */
export function withLineEndsOf(old: string, text: string): string {
  const used = new Set(old.match(BREAKS) ?? []);
  if (used.size < 2) return used.size && !used.has("\n") ? text.replace(BREAKS, [...used][0]!) : text;
  const lines = text.split(BREAK);
  const known = endsOf(old.split(BREAK), old.match(BREAKS) ?? [], lines);
  let last = known.find((end) => end) ?? "\n";
  return lines.map((line, at) => line + (at < lines.length - 1 ? (last = known[at] || last) : "")).join("");
}

/** For each line, the end of the old line that it is or that it stands for; empty for a line that is new. */
function endsOf(old: string[], ends: readonly string[], lines: string[]): string[] {
  const shorter = Math.min(old.length, lines.length);
  let first = 0;
  while (first < shorter && old[first] === lines[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old[old.length - 1 - last] === lines[lines.length - 1 - last]) last += 1;
  const middle = endsOfChanged(old.slice(first, old.length - last), ends.slice(first), lines.slice(first, lines.length - last));
  return [...ends.slice(0, first), ...middle, ...ends.slice(old.length - last)];
}

function endsOfChanged(old: string[], ends: readonly string[], lines: string[]): string[] {
  if (old.length === lines.length) return ends.slice(0, old.length);
  const known: string[] = [];
  let place = 0;
  let replaced: string[] = [];
  for (const { value, added, removed } of diffArrays(old, lines)) {
    const theirs = added ? [] : value.map((_, at) => ends[place + at] ?? "");
    if (added) known.push(...value.map((_, at) => replaced[at] ?? ""));
    else if (!removed) known.push(...theirs);
    replaced = removed ? theirs : [];
    place += theirs.length;
  }
  return known;
}
