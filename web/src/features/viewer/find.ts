import type { Box, Spot } from "@/lib/places";

/** A word as the server sends it: text, left, top, right, bottom. */
export type Word = readonly [text: string, left: number, top: number, right: number, bottom: number];

export interface WordPage {
  number: number;
  lines: readonly (readonly Word[])[];
}

/** One place where the text was found; a phrase may take several words. */
export interface Hit {
  page: number;
  spots: Spot[];
}

/** The most places that a search finds. */
export const MOST_HITS = 2000;

interface Folded {
  words: readonly Word[];
  pieces: string[];
  starts: number[];
  text: string;
}

/** Pages are folded once, not with every letter that is typed. */
const foldedPages = new WeakMap<WordPage, Folded>();

/** Every place of a text on the pages: case, accents and the width of gaps do not count; a hit may go over a line's end. */
export function findText(pages: readonly WordPage[], wanted: string): Hit[] {
  const needle = folded(wanted).trim().replace(/\s+/g, " ");
  const hits: Hit[] = [];
  if (!needle) return hits;
  for (const page of pages) {
    const { words, pieces, starts, text } = foldedPage(page);
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      hits.push({ page: page.number, spots: spotsOf(page.number, words, pieces, starts, at, at + needle.length) });
      if (hits.length >= MOST_HITS) return hits;
    }
  }
  return hits;
}

function foldedPage(page: WordPage): Folded {
  const known = foldedPages.get(page);
  if (known) return known;
  const words = page.lines.flat();
  const pieces = words.map((word) => folded(word[0]));
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length + 1;
  }
  const made = { words, pieces, starts, text: pieces.join(" ") };
  foldedPages.set(page, made);
  return made;
}

function spotsOf(
  page: number,
  words: readonly Word[],
  pieces: readonly string[],
  starts: readonly number[],
  from: number,
  to: number,
): Spot[] {
  const spots: Spot[] = [];
  for (let index = wordAt(starts, from); index < words.length && (starts[index] ?? 0) < to; index += 1) {
    const [start, piece, word] = [starts[index] ?? 0, pieces[index] ?? "", words[index]];
    if (!word || !piece) continue;
    const [first, last] = [Math.max(0, from - start), Math.min(piece.length, to - start)];
    if (last > first) spots.push({ page, box: partOf(word, first / piece.length, last / piece.length) });
  }
  return spots;
}

/** The part of a word's box that some of its letters take, as if all were equally wide. */
function partOf([, left, top, right, bottom]: Word, first: number, last: number): Box {
  const width = right - left;
  return [left + width * first, top, left + width * last, bottom];
}

function wordAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
}
