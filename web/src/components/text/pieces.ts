/** A part of a long markdown text that can be drawn by itself. */
export interface Piece {
  text: string;
  /** The number of its first line in the whole text, from 1. */
  line: number;
}

export interface Pieces {
  pieces: Piece[];
  /** What links in any piece may refer to; it shows nothing by itself. */
  definitions: string;
  /** The levels of headings in the whole text. */
  levels: number[];
}

/** Shorter texts are drawn at once. */
const SHORT = 20_000;
/** Pieces have about so many characters, or more where the text has no place to cut. */
const LENGTH = 4_000;

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const HTML: [RegExp, RegExp][] = [
  [/^( {0,3})<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^( {0,3})<!--/, /-->/],
  [/^( {0,3})<\?/, /\?>/],
  [/^( {0,3})<!\[CDATA\[/, /\]\]>/],
  [/^( {0,3})<![A-Za-z]/, />/],
];
const DEFINITION = /^ {0,3}\[(?!\^)(?:[^\]\\]|\\.)+\]:\s*\S/;
const FOOTNOTE = /^[\s>]*\[\^[^\]]+\]:/m;
const HEADING = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(#{1,6})(?:\s|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
/** A block that stands by itself after a blank line: a heading or a paragraph, at the margin. */
const BEGINS = /^(?:#{1,6}\s|\p{L})/u;

/** What is open at the margin and does not end with a blank line: a fence or HTML. */
interface Open {
  indent: number;
  ends: RegExp;
}

/**
 * Cuts a long text where CommonMark begins a new block whatever stands before: after a blank line, at the margin, outside
 * of fences and HTML. Where that is not certain, it does not cut. Null for a text that is drawn as a whole.
 */
export function piecesOf(text: string): Pieces | null {
  // Footnotes are numbered through the whole text.
  if (text.length < SHORT || FOOTNOTE.test(text)) return null;
  const lines = text.split(/\r\n|\r|\n/);
  const pieces: Piece[] = [];
  const definitions: string[] = [];
  const levels = new Set<number>();
  let open: Open | null = null;
  let isCertain = true;
  let begin = 0;
  let length = 0;
  lines.forEach((line, at) => {
    const before = at ? (lines[at - 1] ?? "") : "";
    if (open) {
      // Inside a list, it would end with the list here.
      if (line.trim() && indentOf(line) < open.indent) isCertain = false;
      if (open.ends.test(line)) open = null;
    } else {
      if (isCertain && length >= LENGTH && !before.trim() && BEGINS.test(line)) {
        pieces.push({ text: lines.slice(begin, at).join("\n"), line: begin + 1 });
        begin = at;
        length = 0;
      }
      open = opened(line);
      if (!open && DEFINITION.test(line) && (!before.trim() || DEFINITION.test(before))) definitions.push(line);
      const level = levelOf(line, before);
      if (level) levels.add(level);
    }
    length += line.length + 1;
  });
  pieces.push({ text: lines.slice(begin).join("\n"), line: begin + 1 });
  return { pieces, definitions: definitions.join("\n"), levels: [...levels].sort((a, b) => a - b) };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function opened(line: string): Open | null {
  const [, indent = "", marks = ""] = FENCE.exec(line) ?? [];
  if (marks) return { indent: indent.length, ends: new RegExp(`^ {0,3}${marks[0]}{${marks.length},}\\s*$`) };
  for (const [begins, ends] of HTML) {
    const found = begins.exec(line);
    if (found) return ends.test(line.slice(found[0].length)) ? null : { indent: found[1]?.length ?? 0, ends };
  }
  return null;
}

function levelOf(line: string, before: string): number | null {
  const marks = HEADING.exec(line)?.[1];
  if (marks) return marks.length;
  const underline = before.trim() ? UNDERLINE.exec(line)?.[1] : undefined;
  return underline ? (underline.startsWith("=") ? 1 : 2) : null;
}
