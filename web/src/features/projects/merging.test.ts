import { describe, expect, it } from "vitest";

import { ApiError } from "@/lib/api/errors";

import { clashesOf, mergedText, mergeOf } from "./merging";

import type { Merge } from "./merging";

const CLASHING: Merge = {
  base_version: 1,
  version: 2,
  clean: false,
  content: null,
  parts: [{ text: "# Plan\n" }, { base: "a\n", mine: "A\n", theirs: "" }, { text: "between\r\n" }, { base: "b", mine: "B", theirs: "β" }],
};

describe("a merge that comes with a refusal", () => {
  it("is found in it, and in no other error", () => {
    expect(mergeOf(new ApiError(409, "old", {}, null, { detail: "old", merge: CLASHING }))).toBe(CLASHING);
    expect(mergeOf(new ApiError(409, "old", {}, null, { detail: "old" }))).toBeNull();
    expect(mergeOf(new ApiError(400, "bad", {}, null, { merge: CLASHING }))).toBeNull();
    expect(mergeOf(new TypeError("offline"))).toBeNull();
  });

  it("needs a choice for every clash, also where one side is empty", () => {
    expect(clashesOf(CLASHING)).toEqual([
      { mine: "A\n", theirs: "" },
      { mine: "B", theirs: "β" },
    ]);
    expect(mergedText(CLASHING, [])).toBeNull();
    expect(mergedText(CLASHING, ["mine"])).toBeNull();
    expect(mergedText(CLASHING, ["theirs", "mine"])).toBe("# Plan\nbetween\r\nB");
    expect(mergedText({ ...CLASHING, clean: true, content: "all", parts: null }, [])).toBe("all");
  });

  it("does not glue the last lines of both sides together", () => {
    expect(mergedText(CLASHING, ["both", "both"])).toBe("# Plan\nA\nbetween\r\nB\nβ");
  });
});
