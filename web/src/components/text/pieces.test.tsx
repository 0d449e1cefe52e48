import { readdirSync, readFileSync } from "node:fs";

import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import Rendered from "./Rendered";
import { piecesOf } from "./pieces";

const DOCS = new URL("../../../../docs/", `file://${import.meta.filename}`);
const GUIDE = readdirSync(DOCS)
  .filter((name) => name.endsWith(".md"))
  .slice(0, 8)
  .map((name) => readFileSync(new URL(name, DOCS), "utf8"))
  .join("\n\n");

const FILL = `${"Some words that go on. ".repeat(200)}\n\n`;
/** What must not be cut, between long paragraphs, with something after it that would be drawn otherwise. */
const ODD = [
  "```\ncode\n\n# no heading\n\nno paragraph\n```",
  "~~~\n```\n\nno paragraph\n\n~~~",
  "- item\n\n  ```\n  code\n\n  more\n  ```\n\n  after it",
  "- item\n  ```\nnot closed in the list\n\nWords\n\n```\n\n# in a fence\n\n```",
  "- ```\n  code\n  ```\n\nWords\n\n# A heading",
  "    ```\n\nWords after indented code\n\n# A heading",
  "<pre>\n\n# no heading\n\nno paragraph\n\n</pre>",
  "<!-- a comment\n\nno paragraph\n\n-->",
  "<div>\n\nWords\n\n</div>",
  "> quote\n\nWords\n\n> ```\n\nWords",
  "1. one\n\n   Two\n\n2. two\n\nThree",
  "| a | b |\n|---|---|\n| 1 | 2 |\n\nWords",
  "A [link] and [another][link].\n\n[link]: https://a.example/first\n[link]: https://a.example/second",
  "Title\n=====\n\nSub\n---\n\nWords",
];

/** What is shown, block by block; how a heading is called depends on the page. */
function shown(text: string, top?: number): string[] {
  const { container, unmount } = render(<Rendered text={text} top={top} />);
  const blocks = [...container.querySelectorAll("p, li, pre, td, blockquote, a, h1, h2, h3, h4, h5, h6")];
  const found = blocks.map((one) => `${one.tagName.replace(/H\d/, "H")} ${one.getAttribute("href") ?? ""} ${one.textContent}`);
  unmount();
  return found;
}

describe("a long text", () => {
  it("is cut, and shows the same as when it is drawn as a whole", () => {
    expect(piecesOf(GUIDE)?.pieces.length).toBeGreaterThan(5);
    expect(shown(GUIDE, 3)).toEqual(shown(GUIDE));
  });

  it.each(ODD)("is not cut inside %j", (odd) => {
    const text = `${FILL}${odd}\n\n${FILL}${FILL}See the [link].\n\n${FILL}${FILL}# End\n\n${odd}\n\n${FILL}`;
    expect(piecesOf(text)).not.toBeNull();
    expect(shown(text, 3)).toEqual(shown(text));
  });

  it("is one text again when its pieces are put together", () => {
    const { pieces } = piecesOf(GUIDE) ?? { pieces: [] };
    expect(pieces.map(({ text }) => text).join("\n")).toBe(GUIDE);
    for (const { text, line } of pieces) expect(GUIDE.split("\n")[line - 1]).toBe(text.split("\n")[0]);
  });

  it("with footnotes, and a short one, are drawn as a whole", () => {
    expect(piecesOf("Short.")).toBeNull();
    expect(piecesOf(`${FILL.repeat(9)}A note[^1].\n\n[^1]: Here.`)).toBeNull();
  });

  it("holds what is put into it once, in the piece with its line", () => {
    const text = `# Top\n\n${FILL.repeat(3)}### Third\n\n${FILL.repeat(3)}Last`;
    const lines = text.split("\n");
    const places = [0, lines.indexOf("### Third") + 1, lines.length];
    const { container } = render(<Rendered top={3} text={text} inserts={places.map((line) => ({ line, content: `[${line}]` }))} />);
    const asides = [...container.querySelectorAll("aside")];
    expect(asides.map((one) => [one.textContent, one.previousElementSibling?.textContent.slice(0, 5)])).toEqual([
      ["[0]", undefined],
      [`[${places[1]}]`, "Third"],
      [`[${places[2]}]`, "Last"],
    ]);
  });

  it("keeps the levels of its headings and the marks of waiting changes over all pieces", () => {
    const text = `# Top\n\n${FILL.repeat(3)}### Third\n\n${FILL.repeat(3)}Marked`;
    const line = text.split("\n").length;
    const { container } = render(<Rendered top={3} text={text} suggested={[{ from: line, to: line }]} />);
    expect([...container.querySelectorAll("h3, h4")].map((one) => one.textContent)).toEqual(["Top", "Third"]);
    expect([...container.querySelectorAll(".suggested")].map((one) => one.textContent)).toEqual(["Marked"]);
  });
});
