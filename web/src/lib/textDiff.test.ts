import { describe, expect, it } from "vitest";

import { textChanges } from "./textDiff";

const NOTHING = { above: 0, below: 0 };

describe("two versions of a markdown text", () => {
  it("differ in items of lists and rows of tables, each with the headings of its table", () => {
    const before = "# Plan\n\n- Van\n- Desks\n\n| Item | Price |\n| --- | ---: |\n| Van | 1 |\n| Desk | 2 |\n";
    const after = before.replace("Desks", "Chairs").replace("| 2 |", "| 3 |");
    const head = "| Item | Price |\n| --- | ---: |";
    const changed = textChanges(before, after, NOTHING).filter(({ kind }) => kind === "added" || kind === "removed");
    expect(changed.map((one) => [one.kind, "text" in one ? one.text : ""])).toEqual([
      ["removed", "- Desks"],
      ["added", "- Chairs"],
      ["removed", `${head}\n| Desk | 2 |`],
      ["added", `${head}\n| Desk | 3 |`],
    ]);
  });

  it("mark the words that differ, and keep fences whole", () => {
    const [removed, added] = textChanges("It begins in May, when the lease ends.", "It begins in June, when the lease ends.", NOTHING);
    expect(removed).toMatchObject({ kind: "removed", differs: [[13, 16]] });
    expect(added).toMatchObject({ kind: "added", differs: [[13, 17]] });
    const fenced = textChanges("```\na\n\n- b\n```", "```\na\n\n- c\n```", NOTHING);
    expect(fenced.map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });

  it("are drawn as rows without the headings, if only a row is known", () => {
    const [removed] = textChanges("| Van | 1 |", "| Van | 2 |", null);
    expect(removed).toMatchObject({ text: "| | |\n| --- | --- |\n| Van | 1 |" });
  });

  it("do not differ where only blank lines do", () => {
    expect(textChanges("a\n\n\nb", "a\n\nb\n", NOTHING)).toEqual([]);
  });
});
