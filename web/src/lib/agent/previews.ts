import type { LeftOut } from "@/lib/diff";

import type { Preview } from "./events";

/** One of the texts in a preview of kind `prompt` or `text`, as it is and as it would be (docs/tools.md). */
export interface TextField {
  field: string;
  before: string | null;
  after: string | null;
  lines_above?: number;
  lines_below?: number;
}

/** A part of a change that can be accepted by itself: its old lines and its new ones. */
export interface Hunk {
  /** Where it begins in the whole text, from 1. */
  line: number;
  /** How many of the old lines go. */
  removes: number;
  before: string;
  after: string;
}

interface HunkPlace {
  line: number;
  removes: number;
  adds: number;
}

const BREAK = /\r\n|\r|\n/;

/** The parts of a change that the user can choose from; none if the server did not name them. */
export function hunksOf(preview: Preview | null): Hunk[] {
  const content = preview && textFields(preview).find(({ field }) => field === "content");
  const leftOut = content && leftOutOf(content);
  if (!Array.isArray(preview?.hunks) || !leftOut) return [];
  const [old, now] = [content.before ?? "", content.after ?? ""].map((text) => text.split(BREAK)) as [string[], string[]];
  let shift = 0;
  return (preview.hunks as HunkPlace[]).map(({ line, removes, adds }) => {
    const from = line - 1 - leftOut.above;
    const begin = from + shift;
    shift += adds - removes;
    // Where lines only come or go, the lines next to them say where.
    const around = removes && adds ? 0 : 1;
    const near = (lines: string[], at: number, count: number): string => lines.slice(Math.max(0, at - around), at + count + around).join("\n");
    return { line, removes, before: near(old, from, removes), after: near(now, begin, adds) };
  });
}

export function textFields(preview: Preview): TextField[] {
  return Array.isArray(preview.fields) ? (preview.fields as TextField[]) : [];
}

/** The lines left out of both texts; null if that is not known: previews of 0.2.0 only say it in a line of the text. */
export function leftOutOf({ lines_above: above, lines_below: below }: TextField): LeftOut | null {
  return above === undefined || below === undefined ? null : { above, below };
}
