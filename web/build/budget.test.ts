import { describe, expect, it } from "vitest";

import { firstLoad } from "./budget.ts";

const noise = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 7919 + (index >> 3) * 104729) % 251);

describe("the first load", () => {
  it("is the entry, what it imports at once, and the styles; not what is loaded later", () => {
    const pieces = [
      { fileName: "index.js", type: "chunk" as const, isEntry: true, imports: ["shared.js"], source: noise(4000) },
      { fileName: "shared.js", type: "chunk" as const, imports: ["index.js"], source: noise(3000) },
      { fileName: "style.css", type: "asset" as const, source: noise(2000) },
    ];
    const small = firstLoad(pieces);
    expect(small).toBeGreaterThan(0);
    expect(firstLoad([...pieces, { fileName: "pdf.js", type: "chunk", imports: [], source: noise(900_000) }])).toBe(small);
    expect(firstLoad(pieces.slice(0, 2))).toBeLessThan(small);
  });

  it("has one language in it, the longest", () => {
    const entry = { fileName: "index.js", type: "chunk" as const, isEntry: true, imports: [], source: noise(4000) };
    const language = (length: number) => ({ fileName: `first-${length}.js`, type: "chunk" as const, imports: [], isLanguage: true, source: noise(length) });
    expect(firstLoad([entry, language(900), language(3000)])).toBe(firstLoad([entry, language(3000)]));
    expect(firstLoad([entry, language(3000)])).toBeGreaterThan(firstLoad([entry]));
  });
});
