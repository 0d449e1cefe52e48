import { act, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";

import { fileSize, percent, quoted } from "./format";
import { chooseLanguage, inSentence, languageFor, locale, rich, t, useLanguage } from "./i18n";
import { recall } from "./remembered";
import { relativeTime, timeLeft } from "./time";
import { readDate, USUAL, writtenDate } from "./written";

import type { Key } from "./i18n";

afterEach(() => chooseLanguage("en"));

describe("languageFor", () => {
  it("takes the chosen one, else the first of the browser that there is, else English", () => {
    expect(languageFor("de", ["en-US"])).toBe("de");
    expect(languageFor("system", ["fr-FR", "de-AT", "en"])).toBe("de");
    expect(languageFor("system", ["fr-FR", "it"])).toBe("en");
    expect(languageFor("system", [])).toBe("en");
  });
});

describe("t", () => {
  it("writes numbers and plurals as the language does", async () => {
    const said = () => [1, 2, 1200].map((count) => t("common.countField", { count }));
    expect(said()).toEqual(["1 field", "2 fields", "1,200 fields"]);
    await chooseLanguage("de");
    expect(said()).toEqual(["1 Feld", "2 Felder", "1.200 Felder"]);
  });

  it("chooses words by a value, where a language needs it", async () => {
    expect([t("versioned.newNoun", { noun: "schema" }), t("versioned.newNoun", { noun: "prompt" })]).toEqual(["New schema", "New prompt"]);
    await chooseLanguage("de");
    expect([t("versioned.newNoun", { noun: "schema" }), t("versioned.newNoun", { noun: "prompt" })]).toEqual(["Neues Schema", "Neuer Prompt"]);
    expect(t("turns.lookedAtCount", { noun: "tag", count: 2 })).toBe("2 Schlagwörter angesehen");
  });

  it("takes values as they are, with braces and tags in them", () => {
    expect(t("common.openName", { name: "{a} <b>'c'</b>" })).toBe("Open {a} <b>'c'</b>");
  });

  it("says which message there is not", () => {
    expect(() => t("common.nothingLikeIt" as Key)).toThrow("common.nothingLikeIt");
  });
});

it("has elements between words", async () => {
  const { container, rerender } = render(<p>{rich("servers.mcpServersAreSwitchedOffOn", { code: <code>mcp.enabled</code> })}</p>);
  expect(container).toHaveTextContent("MCP servers are switched off on this deployment. Its operator can switch them on with the setting mcp.enabled.");
  await chooseLanguage("de");
  rerender(<p>{rich("servers.mcpServersAreSwitchedOffOn", { code: <code>mcp.enabled</code> })}</p>);
  expect(container.querySelector("code")).toHaveTextContent("mcp.enabled");
  expect(container).toHaveTextContent("mit der Einstellung mcp.enabled einschalten.");
});

it("changes the page, its language and the choice that is remembered", async () => {
  function Page() {
    const language = useLanguage();
    return <p key={language}>{t("common.documents")}</p>;
  }
  render(<Page />);
  await act(() => chooseLanguage("de"));
  expect(screen.getByText("Dokumente")).toBeInTheDocument();
  expect([document.documentElement.lang, locale(), recall("language", "system")]).toEqual(["de", "de-DE", "de"]);
});

it("writes dates, sizes, shares and names as the language does", async () => {
  const [then, now] = [new Date(2026, 2, 14, 9), new Date(2026, 4, 1)];
  const said = () => [relativeTime(then, now), timeLeft(new Date(2026, 4, 3, 1), now), fileSize(1234), percent(0.985), quoted("a"), inSentence("Whole number")];
  expect(said()).toEqual(["14 Mar", "2 days left", "1.2 kB", "98.5 %", "“a”", "whole number"]);
  await chooseLanguage("de");
  expect(said()).toEqual(["14. März", "noch 2 Tage", "1,2 kB", "98,5 %", "„a“", "Whole number"]);
});

it("reads every date that it writes", async () => {
  const dates = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}-14`);
  for (const language of ["en", "de"] as const) {
    await chooseLanguage(language);
    expect(dates.map((date) => readDate(writtenDate(date, USUAL), USUAL))).toEqual(dates);
  }
  expect(writtenDate("2026-03-14", USUAL)).toBe("14. März 2026");
});
