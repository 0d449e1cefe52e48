import { gzipSync } from "node:zlib";

import type { Plugin } from "vite";

/** What the plugin needs to know of a piece of the bundle. */
export interface Piece {
  fileName: string;
  type: "chunk" | "asset";
  isEntry?: boolean;
  imports?: string[];
  /** The words of the shell in one language. A visit waits for one of them. */
  isLanguage?: boolean;
  source: string | Uint8Array;
}

/** Kilobytes, gzipped, of all that a first visit waits for: the entry, what it imports, the styles and the longest language. */
export function firstLoad(pieces: Piece[]): number {
  const byName = new Map(pieces.map((piece) => [piece.fileName, piece]));
  const wanted = new Set<string>();
  const visit = (name: string): void => {
    if (wanted.has(name)) return;
    wanted.add(name);
    for (const next of byName.get(name)?.imports ?? []) visit(next);
  };
  for (const piece of pieces) {
    if (piece.isEntry || piece.fileName.endsWith(".css")) visit(piece.fileName);
  }
  let bytes = 0;
  for (const name of wanted) {
    const piece = byName.get(name);
    if (piece) bytes += gzipSync(piece.source).length;
  }
  const languages = pieces.filter(({ isLanguage }) => isLanguage).map(({ source }) => gzipSync(source).length);
  return (bytes + Math.max(0, ...languages)) / 1000;
}

/** Libraries that only some pages need: none of them may be part of the first load. */
const LAZY = ["pdfjs-dist", "@codemirror", "react-markdown", "d3-"];

const LANGUAGE = /\/messages\/\w+\/first\.ts$/;

/** Fails the build when the first load grows over its budget, or when a heavy library slips into it. */
export function budget(limits: { firstLoadKilobytes: number }): Plugin {
  return {
    name: "docagent-budget",
    apply: "build",
    writeBundle(_, bundle) {
      const pieces: Piece[] = Object.values(bundle).map((item) =>
        item.type === "chunk"
          ? { fileName: item.fileName, type: "chunk", isEntry: item.isEntry, imports: item.imports, isLanguage: LANGUAGE.test(item.facadeModuleId ?? ""), source: item.code }
          : { fileName: item.fileName, type: "asset", source: item.source },
      );
      const kilobytes = firstLoad(pieces);
      const told = `first load ${kilobytes.toFixed(0)} kB gzipped, of at most ${limits.firstLoadKilobytes} kB`;
      if (kilobytes > limits.firstLoadKilobytes) this.error(`Over the bundle budget: ${told}.`);
      const reached = entryChunks(pieces);
      for (const item of Object.values(bundle)) {
        if (item.type !== "chunk" || !reached.has(item.fileName)) continue;
        const heavy = Object.keys(item.modules).find((id) => LAZY.some((name) => id.includes(`node_modules/${name}`)));
        if (heavy) this.error(`${heavy} is in the first load; import it lazily.`);
      }
      console.log(`  ${told}`);
    },
  };
}

function entryChunks(pieces: Piece[]): Set<string> {
  const byName = new Map(pieces.map((piece) => [piece.fileName, piece]));
  const reached = new Set<string>();
  const queue = pieces.filter((piece) => piece.isEntry).map((piece) => piece.fileName);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    queue.push(...(byName.get(name)?.imports ?? []));
  }
  return reached;
}
