import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import type { Plugin } from "vite";

const FOLDERS = ["cmaps", "standard_fonts", "wasm"];

/** Copies what pdf.js fetches at run time (character maps, fonts, image decoders) to `static/pdfjs/`. */
export function pdfAssets(): Plugin {
  const source = path.dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  return {
    name: "docagent-pdf-assets",
    apply: "build",
    writeBundle() {
      const { outDir, assetsDir } = this.environment.config.build;
      for (const folder of FOLDERS) {
        cpSync(path.join(source, folder), path.resolve(outDir, assetsDir, "pdfjs", folder), { recursive: true });
      }
    },
  };
}
