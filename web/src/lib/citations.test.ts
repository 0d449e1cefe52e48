import { describe, expect, it } from "vitest";

import { citationOf, citedPage, staleNote } from "./citations";

import type { Citation } from "./citations";

const DOCUMENT = "66f0aaaaaaaaaaaaaaaaaaaa";
const PROMPT = "66f0bbbbbbbbbbbbbbbbbbbb";

describe("citations", () => {
  it("lead to the field or the page that they cite", () => {
    expect(citedPage(`doc:${DOCUMENT}/${PROMPT}/lines.0.a%2Fb`)).toBe(`documents/${DOCUMENT}?prompt=${PROMPT}&field=lines.0.a%2Fb`);
    expect(citedPage(`doc:${DOCUMENT}/default/summary`)).toBe(`documents/${DOCUMENT}?prompt=default&field=summary`);
    expect(citedPage(`doc:${DOCUMENT}/page/3`)).toBe(`documents/${DOCUMENT}?page=3`);
    expect(citedPage(`doc:${DOCUMENT}`)).toBeNull();
    expect(citedPage(`doc:${DOCUMENT}/nonsense/x`)).toBeNull();
    expect(citedPage(`doc:${DOCUMENT}/default/%E0%A4%A`)).toBe(`documents/${DOCUMENT}?prompt=default&field=%25E0%25A4%25A`);
  });

  it("are written so that markdown reads them back", () => {
    const source = { documentId: DOCUMENT, promptId: "default", path: "a (b)" };
    expect(citationOf(source, 1909.4)).toBe(`[1909.4](doc:${DOCUMENT}/default/a%20%28b%29 "1909.4")`);
    expect(citationOf(source, 'say "hi" [x]\n_y_')).toBe(`[say "hi" \\[x\\] \\_y\\_](doc:${DOCUMENT}/default/a%20%28b%29 "say \\"hi\\" [x] _y_")`);
  });

  it("say what has changed", () => {
    const citation = { state: "stale", now: "5" } as Citation;
    expect(staleNote(citation)).toBe("now 5");
    expect(staleNote({ ...citation, now: null })).toBe("the page says something else now");
    expect(staleNote({ ...citation, state: "gone" })).toBe("source is gone");
    expect(staleNote({ ...citation, state: "current" })).toBeNull();
  });
});
