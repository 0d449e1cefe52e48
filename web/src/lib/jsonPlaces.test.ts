import { expect, it } from "vitest";

import { placeInJson, placesOf } from "./jsonPlaces";

const TEXT = '{\n  "a": {"b.c": [1, {"d": "x\\"y"}]},\n  "e": null\n}';
const at = (path: string): string => {
  const { from, to } = placeInJson(TEXT, path);
  return TEXT.slice(from, to);
};

it("finds members at their keys and items at their values", () => {
  expect(at("a")).toBe('"a"');
  expect(at("/a/b.c")).toBe('"b.c"');
  expect(at("/a/b.c/0")).toBe("1");
  expect(at("/a/b.c/1/d")).toBe('"d"');
  expect(at("e")).toBe('"e"');
  expect(at("")).toBe("{");
});

it("leads to the nearest part above what is missing", () => {
  expect(at("/a/b.c/1/missing/deep")).toBe("{");
  expect(at("nothing")).toBe("{");
});

it("gives what comes before a break", () => {
  expect([...placesOf('{"a": 1, "b": {"c": tru').keys()]).toEqual(["", "a", "b", "b.c"]);
  expect(placeInJson("", "a")).toEqual({ from: 0, to: 0 });
});
