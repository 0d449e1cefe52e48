import { diffArrays } from "diff";

import { diffWords, nearChanges, pairsOf } from "./diff";
import { isRule } from "./pipeTable";

import type { Gap, LeftOut, LineChange } from "./diff";

/** A part of a text that changed or stands beside a change, as markdown. */
export interface TextChange {
  kind: "same" | "added" | "removed";
  text: string;
  /** What of the text differs from the part that it stands for, as places in it; empty if there is none. */
  differs: [from: number, to: number][];
}

/** More blocks that differ count as wholly different: comparing takes too long. */
const MOST_BLOCKS = 1000;
const BLOCKS_AROUND = 1;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const BEGINS = /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>)/;

/** Two versions of a markdown text, block by block: paragraphs, items of lists, rows of tables. */
export function textChanges(before: string, after: string, leftOut: LeftOut | null): (TextChange | Gap)[] {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  const parts = diffArrays(old, now, { maxEditLength: MOST_BLOCKS });
  const all = (kind: LineChange["kind"], texts: string[]): LineChange[] => texts.map((text) => ({ kind, text }));
  const changes = parts?.flatMap(({ added, removed, value }) => all(added ? "added" : removed ? "removed" : "same", value)) ?? [...all("removed", old), ...all("added", now)];
  if (changes.every(({ kind }) => kind === "same")) return [];
  const shown = leftOut ? nearChanges(changes, BLOCKS_AROUND, leftOut) : changes;
  const differs = new Map<number, [number, number][]>();
  for (const [removed, added] of pairsOf(shown)) {
    const words = diffWords(textOf(shown[removed]), textOf(shown[added]));
    if (words) differs.set(removed, placesOf(words.before)).set(added, placesOf(words.after));
  }
  return shown.map((part, place) => (part.kind === "gap" ? part : { ...part, differs: differs.get(place) ?? [] }));
}

/** The blocks of a text. Each row of a table has the headings of its table, without which it would be no row. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fence: string | null = null;
  let head = "";
  const lines = text.split(/\r\n|\r|\n/);
  const close = (): void => {
    if (open.length) blocks.push(open.join("\n"));
    open = [];
  };
  lines.forEach((line, place) => {
    if (fence !== null) {
      open.push(line);
      if (line.trim().startsWith(fence)) {
        fence = null;
        close();
      }
      return;
    }
    const isRow = /^\s*\|/.test(line);
    if (!isRow) head = "";
    if (!line.trim()) return close();
    fence = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null || BEGINS.test(line)) close();
    if (isRow && isRule(lines[place + 1] ?? "")) head = `${line}\n${lines[place + 1]}`;
    else if (isRow && isRule(line)) {
      if (head) blocks.push(head);
    } else if (isRow) blocks.push(`${head || bare(line)}\n${line}`);
    else open.push(line);
  });
  close();
  return blocks;
}

/** Headings for a row whose own are not known. */
function bare(row: string): string {
  const count = Math.max(1, row.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).length);
  return `|${" |".repeat(count)}\n|${" --- |".repeat(count)}`;
}

function textOf(part: LineChange | Gap | undefined): string {
  return part && part.kind !== "gap" ? part.text : "";
}

function placesOf(words: { text: string; isChanged: boolean }[]): [number, number][] {
  let at = 0;
  return words.flatMap(({ text, isChanged }): [number, number][] => {
    const from = at;
    at += text.length;
    return isChanged ? [[from, at]] : [];
  });
}
