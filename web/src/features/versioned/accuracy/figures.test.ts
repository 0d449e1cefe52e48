import { describe, expect, it } from "vitest";

import { comparedWords, fieldWords, pointsOf, valueText, versionWords } from "./figures";

import type { Scored } from "./figures";

const run = (f1: number, is_draft = false): Scored => ({ id: `${f1}`, is_draft, prompt_version: 3, score: { f1 } }) as Scored;

describe("figures of accuracy", () => {
  it("are told in words", () => {
    expect(fieldWords("lines.unit_price")).toBe("Lines, unit price");
    expect(versionWords({ is_draft: true, prompt_version: 3 })).toBe("Draft of version 3");
    expect([valueText(null), valueText("a"), valueText(1.5)]).toEqual(["nothing", "a", "1.5"]);
    const fields = [{ change: "better" }, { change: "worse" }, { change: "same" }] as never[];
    expect(comparedWords({ fields, documents: 24, left_out: 1 })).toBe("1 field better, 1 worse, on 24 documents. 1 document that only one of them measured left out.");
    expect(comparedWords({ fields: [], documents: 1, left_out: 0 })).toBe("No field is better or worse, on 1 document.");
  });

  it("stand in the chart from the oldest to the newest", () => {
    const points = pointsOf([run(1), run(0.75, true), run(0.8)], "1");
    expect(points.map(({ value, label }) => [value, label])).toEqual([[0.8, "v3"], [0.75, "draft"], [1, "v3"]]);
    expect(points.map(({ chosen, hollow }) => [chosen, hollow])).toEqual([[false, false], [false, true], [true, false]]);
    expect(pointsOf([run(0.5)], null)).toEqual([]);
  });
});
