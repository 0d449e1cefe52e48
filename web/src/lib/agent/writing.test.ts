import { describe, expect, it } from "vitest";

import { lastLine, readBeginning, writingWords } from "./writing";

const SCHEMA = {
  name: "Invoice",
  response_format: {
    type: "json_schema",
    json_schema: { name: "invoice", strict: true, schema: { type: "object", properties: { number: { type: "string" }, "a \"quoted\" \\ key": { type: "number" } } } },
  },
};

describe("a call that is being written", () => {
  it("can be read at every character, and never says less than before", () => {
    const text = JSON.stringify(SCHEMA);
    let fields = 0;
    for (let end = 1; end <= text.length; end += 1) {
      expect(readBeginning(text.slice(0, end)), text.slice(0, end)).toBeTypeOf("object");
      const now = Number(/(\d+) field/.exec(writingWords("create_schema", text.slice(0, end)) ?? "")?.[1]);
      expect(now).toBeGreaterThanOrEqual(fields);
      fields = now;
    }
    expect(writingWords("create_schema", text)).toBe("Writing schema “Invoice”, 2 fields");
    expect(readBeginning(text)).toEqual(SCHEMA);
  });

  it.each(["", "nothing of JSON", "]]]", '"', '{"a": tru', '{"a": "\\', '{"a": "\\u00', "[1, 2"])("does no harm as %j", (text) => {
    expect(() => readBeginning(text)).not.toThrow();
  });

  it.each([
    ["update_prompt", '{"name": "Bills", "content": "Read the', "Writing prompt “Bills”, 2 words"],
    ["create_project_document", '{"name": "Plan", "content": "# Plan\\n\\nWe mo', "Writing document “Plan”, 3 lines"],
    ["edit_project_document", '{"document": "Plan", "edits": [{"find": "a", "replace": "b"}, {"fi', "Editing document “Plan”, 2 changes"],
    ["create_schema", "", "Writing schema, 0 fields"],
    ["list_tags", '{"name_search": "x"}', null],
    ["update_document", `{"metadata": {"note": "${"long ".repeat(20)}`, "Writing “update document”"],
  ])("is told in words: %s", (name, json, told) => {
    expect(writingWords(name, json)).toBe(told);
  });
});

describe("the last line", () => {
  it("is the newest that says something, and of a long one its end", () => {
    expect(lastLine("First.\nSecond line\n\n")).toBe("Second line");
    expect(lastLine("")).toBe("");
    expect(lastLine(`start ${"word ".repeat(40)}end`)).toMatch(/^… word .* end$/);
  });
});
