import { expect, test } from "vitest";

import { t } from "@/lib/i18n";

import { READABLE_SAID } from "./formats";
import { whyUnreadable } from "./readable";

test.each(["a.pdf", "A.PDF", "two.dots.tif", "a.exe.md"])("%s can be read", (name) => {
  expect(whyUnreadable(name)).toBeNull();
});

test.each([
  ["setup.exe", "Files that end in .exe cannot"],
  ["a.pdf.zip", "Files that end in .zip cannot"],
  ["README", "Files without an ending cannot"],
  [".pdf", "Files without an ending cannot"],
  ["a.", "Files without an ending cannot"],
])("%s cannot be read, and what can be is said", (name, start) => {
  expect(whyUnreadable(name)).toMatch(start);
  expect(whyUnreadable(name)).toContain("PDF, Word, Excel");
});

test("the catalogue names the formats of the server's table", () => {
  expect(t("documents.readableFormats")).toBe(READABLE_SAID);
});
