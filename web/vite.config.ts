import path from "node:path";

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

import { budget } from "./build/budget.ts";
import { compressed } from "./build/compressed.ts";
import { pdfAssets } from "./build/pdfAssets.ts";

const SERVER = process.env.DOCAGENT_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react(), tailwindcss(), pdfAssets(), compressed(), budget({ firstLoadKilobytes: 200 })],
  resolve: { alias: { "@": path.resolve(import.meta.dirname, "src") } },
  build: {
    outDir: path.resolve(import.meta.dirname, "../src/docagent/api/web_dist"),
    emptyOutDir: true,
    assetsDir: "static",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  server: { proxy: { "/v0": SERVER, "/login": SERVER, "/docs": SERVER, "/openapi.json": SERVER } },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}", "build/**/*.test.ts"],
    setupFiles: ["src/test/setup.ts"],
    css: false,
    pool: "threads",
    isolate: false,
    // A busy machine is no failure.
    testTimeout: 60_000,
  },
});
