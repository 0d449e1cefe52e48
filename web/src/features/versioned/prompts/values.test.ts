import { describe, expect, it } from "vitest";

import type { Prompt } from "@/lib/api/prompts";
import { chooseLanguage } from "@/lib/i18n";

import { bodyOf, described, EMPTY, sameValues, splitKeys, valuesOf } from "./values";


const PROMPT: Prompt = {
  name: "Invoices",
  content: "Read it.",
  schema_id: "s1",
  schema_version: 2,
  tag_ids: ["t2", "t1"],
  model: "gpt-4o-mini",
  effective_model: "docagent-offline",
  kb_id: "k",
  peer_match_keys: ["order"],
  include: { ocr_text: true, metadata_keys: ["region"], pdf: false },
  prompt_revid: "r",
  prompt_id: "p",
  prompt_version: 3,
  created_at: "2026-01-01T00:00:00Z",
  created_by: "u",
};

describe("values of a prompt", () => {
  it("go back as they came, also what is not shown", () => {
    expect(bodyOf(valuesOf(PROMPT), PROMPT)).toEqual({
      name: "Invoices",
      content: "Read it.",
      schema_id: "s1",
      schema_version: 2,
      model: null,
      tag_ids: ["t2", "t1"],
      kb_id: "k",
      peer_match_keys: ["order"],
      include: { ocr_text: true, metadata_keys: ["region"], pdf: false },
    });
  });

  it("keep what was said of pictures", () => {
    for (const pictures of ["doubtful", "always", null] as const) {
      const include = { ocr_text: true, metadata_keys: [], pdf: true, pictures };
      expect(bodyOf(valuesOf({ ...PROMPT, include }), PROMPT).include).toEqual(include);
    }
    expect(valuesOf(PROMPT).pictures).toBe("never");
  });

  it("name the model alike in every language", async () => {
    await chooseLanguage("de");
    expect(bodyOf({ ...EMPTY, model: "gpt-4o" }, null)).toMatchObject({ model: "gpt-4o" });
    await chooseLanguage("en");
  });

  it("keep a model that was chosen", () => {
    expect(valuesOf({ ...PROMPT, effective_model: "gpt-4o-mini" }).model).toBe("gpt-4o-mini");
    expect(valuesOf({ ...PROMPT, model: "claude-sonnet-4-6" }).model).toBe("claude-sonnet-4-6");
  });

  it("are the same in another order of tags", () => {
    const values = valuesOf(PROMPT);
    expect(sameValues(values, { ...values, tagIds: ["t1", "t2"] })).toBe(true);
    expect(sameValues(values, { ...values, pictures: "always" })).toBe(false);
  });

  it("are told in names", () => {
    const names = { schema: () => "Invoice", tag: (id: string) => (id === "t1" ? "north" : "south") };
    expect(described(valuesOf(PROMPT), names)).toMatchObject({ schema: "Invoice, version 2", tags: "north, south" });
    expect(described(EMPTY, names)).toMatchObject({ schema: "none", tags: "none" });
  });
});

it("reads keys between commas", () => {
  expect(splitKeys(" a, b ,,a")).toEqual(["a", "b"]);
});
