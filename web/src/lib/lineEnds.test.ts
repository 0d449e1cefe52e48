import { describe, expect, it } from "vitest";

import { plainEnds, withLineEndsOf } from "./lineEnds";

const TEXTS = ["", "a", "a\nb", "a\r\nb\r\n", "a\rb", "a\r\nb\nc\rd", "\r\n\r\na\n", "---\r\ntitle: x\r\n---\r\n\r\n# A\n"];

describe("line ends", () => {
  it.each(TEXTS)("stay when %j is only opened and saved", (text) => {
    expect(withLineEndsOf(text, plainEnds(text))).toBe(text);
  });

  it.each(TEXTS)("stay when a letter is typed into %j: exactly that letter differs", (text) => {
    for (let at = 0; at <= plainEnds(text).length; at += 1) {
      const shown = plainEnds(text);
      const typed = withLineEndsOf(text, `${shown.slice(0, at)}§${shown.slice(at)}`);
      expect(typed.replace("§", "")).toBe(text);
    }
  });

  it("of new lines are those of their neighbours", () => {
    expect(withLineEndsOf("a\r\nb\r\n", "a\nnew\nb\n")).toBe("a\r\nnew\r\nb\r\n");
    expect(withLineEndsOf("a\r\nb\nc\n", "a\nnew\nb\nc\n")).toBe("a\r\nnew\r\nb\nc\n");
    expect(withLineEndsOf("a\r\nb\n", "new\na\nb\n")).toBe("new\r\na\r\nb\n");
  });

  it("of a text without any are as they are typed", () => {
    expect(withLineEndsOf("a", "a\nb")).toBe("a\nb");
  });
});
