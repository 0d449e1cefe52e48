import { readdirSync, readFileSync, statSync } from "node:fs";

import { EditorState } from "@uiw/react-codemirror";
import { describe, expect, it } from "vitest";

import { plainEnds } from "@/lib/lineEnds";

import { begun, isDirty, typed } from "./editing";

const PACKAGES = new URL("../../../node_modules/", `file://${import.meta.filename}`);
const FILES = 200;
const EACH = 20;
const MOST_BYTES = 30_000;
/** In how many places of every text a letter is typed. */
const PLACES = 8;

/** Markdown files as people write them: those of the packages that are installed. */
function realTexts(): string[] {
  const found = new Set<string>();
  const folders = [PACKAGES];
  for (let folder = folders.shift(); folder && found.size < FILES; folder = folders.shift()) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))) {
      const place = new URL(entry.isDirectory() ? `${encodeURIComponent(entry.name)}/` : encodeURIComponent(entry.name), folder);
      if (entry.isDirectory()) folders.push(place);
      else if (entry.name.toLowerCase().endsWith(".md") && statSync(place).size < MOST_BYTES) found.add(readFileSync(place, "utf8"));
    }
  }
  return [...found].slice(0, FILES);
}

const REAL = realTexts();
const PLAIN = REAL.map(plainEnds)
  .filter((text) => text.split("\n").length > 5)
  .slice(0, EACH);
const ENDS = ["\n", "\r\n", "\r"];
const KINDS: Record<string, string[]> = {
  "as it is": REAL,
  CRLF: PLAIN.map((text) => text.replaceAll("\n", "\r\n")),
  "lone CR": PLAIN.map((text) => text.replaceAll("\n", "\r")),
  "mixed line ends": PLAIN.map((text) => text.split("\n").reduce((above, line, at) => above + ENDS[at % 3]! + line)),
  "no line end at the end": PLAIN.map((text) => text.replace(/\n+$/, "")),
  "front matter": PLAIN.map((text) => `---\ntitle: A: b\n---\n\n${text}`),
  HTML: PLAIN.map((text) => `<details>\n<pre>\n# no heading\n\n</pre>\n${text}</details>`),
  tabs: PLAIN.map((text) => `${text.replace(/^( {2,4}|- )/gm, "\t")}\tend\t\n`),
  "a byte order mark": PLAIN.map((text) => `\ufeff${text}`),
  "a byte order mark and CRLF": PLAIN.map((text) => `\ufeff${text.replaceAll("\n", "\r\n")}`),
};

/** The text with a letter where the editor shows it in this place. The editor shows every line end as one character. */
function withLetter(text: string, shownPlace: number): string {
  let place = 0;
  for (let shown = 0; shown < shownPlace; shown += 1) place += text.startsWith("\r\n", place) ? 2 : 1;
  return `${text.slice(0, place)}x${text.slice(place)}`;
}

describe("a markdown file in the editor", () => {
  it("there are enough of them", () => {
    expect(REAL).toHaveLength(FILES);
    for (const [kind, texts] of Object.entries(KINDS)) expect(new Set(texts).size, kind).toBeGreaterThanOrEqual(EACH);
  });

  it.each(Object.entries(KINDS))("with %s stays as it is but for the letter that is typed", (_, texts) => {
    for (const text of texts) {
      const opened = begun({ version: 1, content: text });
      const editor = EditorState.create({ doc: plainEnds(text) });
      expect(isDirty(typed(opened, editor.doc.toString()))).toBe(false);
      for (let part = 0; part <= PLACES; part += 1) {
        const from = Math.floor((editor.doc.length * part) / PLACES);
        const after = editor.update({ changes: { from, insert: "x" } }).state;
        const written = typed(opened, after.doc.toString());
        expect(written.text).toBe(withLetter(text, from));
        const undone = after.update({ changes: { from, to: from + 1 } }).state;
        expect(isDirty(typed(written, undone.doc.toString()))).toBe(false);
      }
    }
  });
});
