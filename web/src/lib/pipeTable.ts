/** A table as markdown writes it: `| Item | Price |`. */
export interface PipeTable {
  head: Cell[];
  rows: Cell[][];
  /** Which columns stand to the right, which is how numbers are written. */
  right: boolean[];
}

export interface Cell {
  text: string;
  /** Where its text begins in the source. */
  at: number;
}

const RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Whether a line is the rule below the headings of a table. */
export function isRule(line: string): boolean {
  return line.includes("-") && RULE.test(line);
}

/** The table that a piece of markdown consists of; null if it is none. */
export function pipeTable(source: string): PipeTable | null {
  const lines: { text: string; at: number }[] = [];
  let at = 0;
  for (const text of source.split("\n")) {
    if (text.trim()) lines.push({ text, at });
    at += text.length + 1;
  }
  const [head, rule, ...rows] = lines;
  if (!head || !rule || !isRule(rule.text)) return null;
  return {
    head: cellsOf(head.text, head.at),
    rows: rows.map((line) => cellsOf(line.text, line.at)),
    right: cellsOf(rule.text, rule.at).map(({ text }) => text.endsWith(":") && !text.startsWith(":")),
  };
}

function cellsOf(line: string, begin: number): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  const take = (to: number): void => {
    const raw = line.slice(from, to);
    cells.push({ text: raw.trim(), at: begin + from + (raw.length - raw.trimStart().length) });
    from = to + 1;
  };
  for (let place = 0; place < line.length; place += 1) {
    if (line[place] === "\\") place += 1;
    else if (line[place] === "|") take(place);
  }
  take(line.length);
  // The bars at both ends have nothing beyond them.
  if (cells[0]?.text === "") cells.shift();
  if (cells.length > 0 && cells.at(-1)?.text === "" && line.trimEnd().endsWith("|")) cells.pop();
  return cells;
}

/** The text of a cell without the marks that only keep its table together. */
export function cellText(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
