import { describe, expect, it } from "vitest";

import type { Result } from "@/lib/api/results";

import { examplesOf } from "./HowMade";
import { reportLines } from "./Report";

const result = (report: Record<string, unknown>): Result =>
  ({ problems: [], updated_llm_result: {}, run: { report } }) as unknown as Result;

describe("what is said about a result", () => {
  it("begins with what the model cannot read", () => {
    const note = "The built-in model found ground for 0 of 2 fields only: choose a language model to read it.";
    const lines = reportLines(result({ notes: [note], duplicates: ["Two rows are alike"] }));
    expect(lines.map(({ text }) => text)).toEqual([note, "Two rows are alike; they are taken once."]);
  });

  it("is nothing where there is nothing to say", () => {
    expect(reportLines(result({ notes: [] }))).toEqual([]);
  });

  it("names the documents that the model was shown as examples", () => {
    expect(examplesOf(result({ examples: [{ document_id: "d1", name: "a.pdf" }] }))).toEqual(["“a.pdf”"]);
    expect(examplesOf(result({}))).toEqual([]);
  });
});
