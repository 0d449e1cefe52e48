import { describe, expect, it } from "vitest";

import { isNarrowed, parseSearch, toQuery, writeSearch } from "./search";

describe("the list's search in the address", () => {
  it("is empty for the usual list", () => {
    expect(Object.values(writeSearch(parseSearch({}))).every((value) => value === undefined)).toBe(true);
    expect(isNarrowed(parseSearch({}))).toBe(false);
  });

  it("comes back as it was written", () => {
    const search = parseSearch({ find: "acme", tags: "a,b", state: "failed", sort: "document_name.asc", page: "3" });
    expect(parseSearch(writeSearch(search))).toEqual(search);
    expect(isNarrowed(search)).toBe(true);
  });

  it("passes over what makes no sense", () => {
    const search = parseSearch({ state: "zz", sort: "password.desc", page: "-4", find: { a: 1 } });
    expect(search).toEqual(parseSearch({}));
  });

  it("becomes the parameters of the API", () => {
    const query = toQuery(parseSearch({ tags: "a,b", state: "failed", page: 2, sort: "document_name.asc" }));
    expect(query.skip).toBe(25);
    expect(query.tag_ids).toBe("a,b");
    expect(JSON.parse(query.sort)).toEqual([{ field: "document_name", sort: "asc" }]);
    expect(JSON.parse(query.filters ?? "")).toEqual({
      items: [{ field: "state", operator: "isAnyOf", value: ["ocr_failed", "llm_failed"] }],
    });
    const summarised = JSON.parse(toQuery(parseSearch({ state: "summarised" })).filters ?? "") as { items: unknown[] };
    expect(summarised.items[1]).toEqual({ field: "results", operator: "equals", value: "summary" });
    expect(toQuery(parseSearch({})).filters).toBeUndefined();
  });
});
