import { expect, it } from "vitest";

import { shiftedPlaces } from "./rows";

it("moves the places of rows that are added after others", () => {
  const places = [{ path: "order.lines.0.price", words: [] }];
  expect(shiftedPlaces(places, "order.lines", 2)).toEqual([{ path: "order.lines.2.price", words: [] }]);
});
