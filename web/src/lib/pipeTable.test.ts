import { describe, expect, it } from "vitest";

import { cellText, pipeTable } from "./pipeTable";

describe("pipeTable", () => {
  it("reads cells with their places, and which columns stand to the right", () => {
    const source = "| Item | Price |\n| :--- | ---: |\n|  A\\|B | 2 |\n| |";
    const table = pipeTable(source);
    expect(table?.right).toEqual([false, true]);
    expect(table?.rows.map((row) => row.map(({ text }) => cellText(text)))).toEqual([["A|B", "2"], [""]]);
    const at = table?.rows[0]?.[0]?.at ?? 0;
    expect(source.slice(at, at + 4)).toBe("A\\|B");
  });

  it("knows what is no table", () => {
    expect(pipeTable("| a |\nb")).toBeNull();
    expect(pipeTable("")).toBeNull();
  });
});
