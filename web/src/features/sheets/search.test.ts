import { describe, expect, it } from "vitest";

import type { SheetColumn } from "@/lib/api/sheets";

import { decimalsOf, shownCell, typedCell } from "./cells";
import { filterWords, parseSearch, toQuery, writeSearch } from "./search";

const column = (kind: string, path = "total"): SheetColumn => ({ path, title: path, kind, unfolds: false, within: null, hidden: false });

describe("the address of a sheet", () => {
  it("comes back as it was written", () => {
    const search = {
      find: "acme",
      sorting: { field: "supplier.name", direction: "desc" } as const,
      filters: [{ field: "total", operator: ">=", value: "100" }],
      unfold: "lines",
      page: 3,
    };
    expect(parseSearch(writeSearch(search))).toEqual(search);
    expect(toQuery(search)).toMatchObject({ skip: 200, name_search: "acme", unfold: "lines" });
  });

  it("takes nothing that is not one", () => {
    const { sorting, filters, page } = parseSearch({ sort: "total", filters: [{ field: 1 }, "x"], page: "-4" });
    expect([sorting, filters, page]).toEqual([undefined, [], 1]);
  });

  it("says a filter in words", () => {
    expect(filterWords({ field: "total", operator: ">=", value: "100" }, [column("number")])).toBe("total is at least 100");
    expect(filterWords({ field: "$document", operator: "isEmpty", value: "" }, [])).toBe("Document is empty");
  });
});

describe("cells", () => {
  it("show values as people write them", () => {
    expect(shownCell(1909.4, column("number"), decimalsOf([1909.4, 3, null]))).toBe("1,909.40");
    expect(shownCell(2026, column("number", "year"), 0)).toBe("2026");
    expect(shownCell([{ a: 1 }, { a: 2 }], column("list"), 0)).toBe("2 rows");
    expect(shownCell(["a", "b"], column("list"), 0)).toBe("a, b");
    expect(shownCell(false, column("boolean"), 0)).toBe("No");
  });

  it("read what is typed by the kind of the column", () => {
    expect(typedCell("1,910.00", column("number"))).toEqual({ value: 1910 });
    expect(typedCell("14 March 2026", column("date"))).toEqual({ value: "2026-03-14" });
    expect(typedCell("", column("text"))).toEqual({ value: null });
    expect(typedCell("many", column("number"))).toHaveProperty("error");
  });
});
