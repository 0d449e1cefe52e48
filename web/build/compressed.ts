import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import type { Plugin } from "vite";

const TEXT = /\.(js|mjs|css|svg|wasm)$/;
const WORTH_IT = 1024;

/** Writes a gzipped twin beside every text file under `static/`, so that the server never compresses by itself. */
export function compressed(): Plugin {
  return {
    name: "docagent-compressed",
    apply: "build",
    closeBundle() {
      const { outDir, assetsDir } = this.environment.config.build;
      const folder = path.resolve(outDir, assetsDir);
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!TEXT.test(name)) continue;
        const content = readFileSync(path.join(folder, name));
        if (content.length > WORTH_IT) writeFileSync(path.join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
