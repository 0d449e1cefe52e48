import { describe, expect, it } from "vitest";

import { choicesIn } from "./choices";

describe("the choices that an answer ends with", () => {
  it("are the items of a list below a question, said as they are written", () => {
    expect(choicesIn("I found two.\n\nWhich one do you mean?\n\n- **Plan**\n- acorn\n")).toEqual([
      { label: "Plan", says: "**Plan**" },
      { label: "acorn", says: "acorn" },
    ]);
  });

  it("are an offer that is taken up with a yes", () => {
    const offer = "Done.\n\nShall I do the same with all documents like this one? Say “yes, tag them bill”: from then on they are read.";
    expect(choicesIn(offer)).toEqual([{ label: "Tag them bill", says: "yes, tag them bill" }]);
  });

  it("are none in a list that answers, in a long one, and without a question", () => {
    expect(choicesIn("There are:\n\n- one\n- two")).toEqual([]);
    expect(choicesIn(`Which?\n\n${"- x\n".repeat(7)}`)).toEqual([]);
    expect(choicesIn("Shall I?\n\nSay so.")).toEqual([]);
    expect(choicesIn("")).toEqual([]);
  });
});
