import path from "node:path";

import { describe, expect, it } from "vitest";

import * as deFirst from "@/messages/de/first";
import * as deRest from "@/messages/de/rest";
import * as enFirst from "@/messages/en/first";
import * as enRest from "@/messages/en/rest";

import { firstLoaded, hardCoded, keysOf, messageOf, sources, tooEarly, translationFaults, uses, valuesOf } from "./messages.ts";

import type { Catalogues } from "./messages.ts";

const english: Catalogues = { ...enFirst, ...enRest };
const german: Catalogues = { ...deFirst, ...deRest };
const all = sources(path.resolve(import.meta.dirname, "../src"));
const known = new Set(keysOf(english));
const used = all.flatMap((source) => uses(source, known));

/** Words that are the same in English and German. */
const SAME = new Set(
  "Administrator Agent CSV Credits Export JSON Lines Name Orange Organisation Original Parquet Pause Person Plan Prompt Prompts Revision Schema Schemas System Team Test Text Token Uploads Version Webhooks Zoom min optional".split(" "),
);
/** What the agent is told, which the built-in model reads in English. */
const NOT_SHOWN = new Map([
  ["features/agent/EmptyAgent.tsx", "what the agent is told"],
  ["features/projects/Stale.tsx", "what the agent is told"],
]);

describe("the catalogues", () => {
  it("are complete in German, with the same values and no English left", () => {
    expect(translationFaults(english, german, SAME)).toEqual([]);
  });

  it("have no message that nothing uses", () => {
    const keys = new Set(used.map(({ key }) => key));
    expect([...known].filter((key) => !keys.has(key))).toEqual([]);
  });

  it("give every message the values that it takes", () => {
    const wrong = used.filter(({ key, names }) => names && valuesOf(messageOf(english, key) ?? "").join() !== names.join());
    expect(wrong).toEqual([]);
  });

  it("have what a first visit needs in their first part", () => {
    const first = firstLoaded(all, "main.tsx").flatMap((source) => uses(source, known));
    expect(first.length).toBeGreaterThan(100);
    expect(first.filter(({ key }) => messageOf(enFirst, key) === undefined)).toEqual([]);
  });
});

describe("the code", () => {
  it("has no text that a person sees", () => {
    const found = all.filter(({ name }) => !NOT_SHOWN.has(name)).flatMap(hardCoded);
    expect(found).toEqual([]);
  });

  it("has no exception that is no longer needed", () => {
    expect([...NOT_SHOWN.keys()].filter((name) => all.filter((source) => source.name === name).flatMap(hardCoded).length === 0)).toEqual([]);
  });

  it("asks for no message while a module is loaded", () => {
    expect(all.flatMap(tooEarly)).toEqual([]);
  });
});

describe("the check itself", () => {
  const inside = (text: string) => hardCoded({ name: "x.tsx", text });

  it.each([
    ['const a = <p>Some text</p>;', "Some text"],
    ['const a = <p title="Some">{b}</p>;', "Some"],
    ['const a = <input placeholder={b ? "one" : c} />;', "one"],
    ['const a = <p>{b ? "done" : c}</p>;', "done"],
    ['const a = <p aria-label={`Remove ${b}`} />;', "Remove ${}"],
    ['toast("The file is saved.");', "The file is saved."],
  ])("finds the text in %s", (text, said) => {
    expect(inside(text)).toEqual([`x.tsx:1 ${said}`]);
  });

  it.each(['const a = <p className="flex gap-2">{t("a.b")}</p>;', 'if (a === "Enter") b();', 'const a = <code>docagent login-link</code>;'])("finds nothing in %s", (text) => {
    expect(inside(text)).toEqual([]);
  });

  it("finds keys that are missing, messages not translated, and other values", () => {
    const faults = translationFaults({ a: { one: "One", two: "Two {b}", three: "Three" } }, { a: { two: "Zwei {c}", three: "Three", four: "Vier" } }, new Set());
    expect(faults).toEqual([
      "a.one is missing in the translation",
      "a.two takes other values in the translation",
      "a.three is not translated: Three",
      "a.four is missing in English",
    ]);
  });

  it("finds a message that is asked for too early", () => {
    const early = (text: string) => tooEarly({ name: "x.ts", text }).length;
    expect([early('const A = t("a.b");'), early('const A = [1].map(() => t("a.b"));')]).toEqual([1, 1]);
    expect([early('const A = { get b() { return t("a.b"); } };'), early('const a = () => [1].map(() => t("a.b"));')]).toEqual([0, 0]);
  });
});
