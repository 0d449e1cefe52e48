import { expect, it } from "vitest";

import { formsOf, pointed } from "./pointed";

const said = (href: string, ...forms: string[]) => ({ href, label: href, forms });

it("makes links of names and numbers, the longest first, and of nothing inside another word or number", () => {
  const values = [said("doc:a/p/supplier", "Acme", "Acme GmbH"), said("doc:a/p/total", "1,617.30")];
  expect(pointed("Acme GmbH asks for 1,617.30 EUR.", values)).toBe("[Acme GmbH](doc:a/p/supplier) asks for [1,617.30](doc:a/p/total) EUR.");
  expect(pointed("Acmes 11,617.30 1,617.305", values)).toBe("Acmes 11,617.30 1,617.305");
});

it("leaves code, links and addresses as they are", () => {
  const values = [said("doc:a/p/n", "2041")];
  const text = "`2041` [2041](doc:b) http://127.0.0.1/2041\n```\n2041\n```";
  expect(pointed(text, values)).toBe(text);
  expect(pointed("| No | 2041 |", values)).toBe("| No | [2041](doc:a/p/n) |");
  expect(pointed("nothing", [])).toBe("nothing");
});

it("knows the ways in which a number is written, and no text that is too short or has signs of markdown", () => {
  expect(formsOf(1617.3, "1,617.30")).toEqual(["1,617.30", "1,617.3", "1.617,3", "1.617,30", "1617.3"]);
  expect(formsOf("AB", "AB")).toEqual([]);
  expect(formsOf("a|b*c", "a|b*c")).toEqual([]);
});
