import { describe, expect, it } from "vitest";

import { printedAs, readDate, readNumber, styleOf, USUAL, writtenDate, writtenNumber } from "./written";

const COMMA = { ...USUAL, decimal: ",", group: "." } as const;

describe("a number that is typed", () => {
  it.each([
    ["1,910.00", 1910],
    ["1.910,00", 1910],
    ["1 910,00", 1910],
    ["1'910.00", 1910],
    ["1 234.50", 1234.5],
    ["1,00,000.5", 100000.5],
    ["€ 1,910.00", 1910],
    ["1910 EUR", 1910],
    ["-12.5", -12.5],
    ["12,5-", -12.5],
    ["(12.50)", -12.5],
    ["−7", -7],
    ["$ -7", -7],
    [".5", 0.5],
    ["19 %", 19],
    ["1e3", 1000],
    ["0042", 42],
  ])("%s is %d", (typed, value) => expect(readNumber(typed, USUAL)).toBe(value));

  it.each(["twelve", "1,2,3", "12 apples", "1..2", "(5", "2024-01-15", "1,23.4.5", ""])("%s is none", (typed) => {
    expect(readNumber(typed, USUAL)).toBeNull();
  });

  it("is read as the document writes where it could mean two", () => {
    expect([readNumber("1.910", USUAL), readNumber("1.910", COMMA)]).toEqual([1.91, 1910]);
    expect([readNumber("1,910", USUAL), readNumber("1,910", COMMA)]).toEqual([1910, 1.91]);
  });
});

describe("a date that is typed", () => {
  it.each([
    "2024-01-15", "15 Jan 2024", "15. Januar 2024", "January 15, 2024", "15th January 2024", "15 de enero de 2024", "15 janv. 2024",
    "15.01.2024", "15.1.24", "15/01/2024", "01/15/2024", "20240115", "2024年1月15日", "15-Jan-2024", "2024 Jan 15",
  ])("%s is one day", (typed) => expect(readDate(typed, USUAL)).toBe("2024-01-15"));

  it.each(["soon", "2024-02-30", "15 Foo 2024", "31.04.2024", "1/2", "0015-01-01", ""])("%s is none", (typed) => {
    expect(readDate(typed, USUAL)).toBeNull();
  });

  it("is read in the document's order where it could be two days", () => {
    expect(readDate("03/04/2024", USUAL)).toBe("2024-04-03");
    expect(readDate("03/04/2024", { ...USUAL, order: "mdy" })).toBe("2024-03-04");
    expect(readDate("03.04.2024", { ...USUAL, order: "mdy" })).toBe("2024-04-03");
  });
});

describe("the habits of a document", () => {
  it("are learnt from what its values are printed as", () => {
    expect(styleOf([{ value: 1909.4, printed: "1.909,40 €" }, { value: "2024-03-14", printed: "14.03.2024" }])).toEqual({
      decimal: ",", group: ".", order: "dmy", dotted: true,
    });
    expect(styleOf([{ value: 1909.4, printed: "$1,909.40" }, { value: "2024-03-14", printed: "3/14/2024" }])).toMatchObject({
      decimal: ".", group: ",", order: "mdy", dotted: false,
    });
    expect(styleOf([{ value: 1909, printed: "1.909" }])).toMatchObject({ decimal: ",", group: "." });
    expect(styleOf([{ value: "2024-03-14", printed: "March 14, 2024" }]).order).toBe("mdy");
  });

  it("say how one number is printed", () => {
    expect(printedAs(4, "4.00")).toMatchObject({ decimals: 2 });
    expect(printedAs(-1909.4, "Total: (1,909.40)")).toMatchObject({ decimals: 2, group: "," });
    expect(printedAs(4, "5.00")).toBeNull();
  });
});

describe("what is shown", () => {
  const money = { decimals: 2, isGrouped: true };
  it("has the decimals of its kind and the signs of the document", () => {
    expect(writtenNumber(1909.4, USUAL, money)).toBe("1,909.40");
    expect(writtenNumber(-1234567.891, COMMA, money)).toBe("-1.234.567,891");
    expect(writtenNumber(2024, USUAL, { decimals: 0, isGrouped: false })).toBe("2024");
    expect(writtenNumber(1e21, USUAL, money)).toBe("1e+21");
    expect(writtenDate("2024-01-05", USUAL)).toBe("5 Jan 2024");
    expect(writtenDate("2024-01-05", { ...USUAL, order: "mdy" })).toBe("Jan 5, 2024");
    expect(writtenDate("2024-01-05", { ...USUAL, dotted: true })).toBe("05.01.2024");
    expect(writtenDate("2024-01-05", { ...USUAL, order: "ymd" })).toBe("2024-01-05");
  });

  it("is read back as the same value", () => {
    for (const style of [USUAL, COMMA, { ...USUAL, group: " " }, { ...USUAL, order: "mdy" as const }, { ...USUAL, dotted: true }]) {
      for (const value of [0, 4, -1909.4, 1234567.891, 0.005, 1.91, 1910]) {
        expect(readNumber(writtenNumber(value, style, money), style)).toBe(value);
      }
      expect(readDate(writtenDate("2024-04-03", style), style)).toBe("2024-04-03");
    }
  });
});
