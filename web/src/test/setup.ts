import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

import { loadPageMessages, startLanguage } from "@/lib/i18n";

await startLanguage();
await loadPageMessages();

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** jsdom lays nothing out, so nothing ever changes its size. */
class StillObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver ??= StillObserver;
