import { describe, expect, it } from "vitest";

import { comparedWords, fieldWords, pointsOf, valueText, versionWords } from "./figures";

import type { Scored } from "./figures";

const run = (f1: number): Scored => ({ score: { f1 } }) as Scored;

describe("figures of accuracy", () => {
  it("are told in words", () => {
    expect(fieldWords("lines.unit_price")).toBe("Lines, unit price");
    expect(versionWords({ is_draft: true, prompt_version: 3 })).toBe("Draft of version 3");
    expect([valueText(null), valueText("a"), valueText(1.5)]).toEqual(["nothing", "a", "1.5"]);
    const fields = [{ change: "better" }, { change: "worse" }, { change: "same" }] as never[];
    expect(comparedWords({ fields, documents: 24, left_out: 1 })).toBe("1 field better, 1 worse, on 24 documents. 1 document that only one of them measured left out.");
    expect(comparedWords({ fields: [], documents: 1, left_out: 0 })).toBe("No field is better or worse, on 1 document.");
  });

  it("rise in the chart as they get better, from the oldest to the newest", () => {
    const { points, lowest } = pointsOf([run(1), run(0.75), run(0.8)], 100, 50);
    expect(lowest).toBe(0.6);
    expect(points.map(({ x }) => x)).toEqual([0, 50, 100]);
    expect(points.map(({ y }) => Math.round(y))).toEqual([25, 31, 0]);
    expect(pointsOf([run(0)], 100, 50).points).toEqual([{ x: 50, y: 50, run: run(0) }]);
  });
});
