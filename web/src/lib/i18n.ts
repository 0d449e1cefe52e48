import { IntlMessageFormat } from "intl-messageformat";
import { createElement, Fragment } from "react";

import { recall, remember } from "@/lib/remembered";
import { Store, useStore } from "@/lib/store";
import type * as first from "@/messages/en/first";
import type * as rest from "@/messages/en/rest";

import type { ReactNode } from "react";

export type Language = "en" | "de";
export type LanguageChoice = Language | "system";

type Catalogues = typeof first & typeof rest;
type Loaded = Record<string, Record<string, string>>;
type Values = Record<string, string | number | null | undefined>;

/** `tags.createTag`: the catalogue of a feature, and a message of it. */
export type Key = { [Name in keyof Catalogues]: `${Name}.${Extract<keyof Catalogues[Name], string>}` }[keyof Catalogues];

/** What a first visit shows, and what the pages show. Both are fetched in one language only. */
const PARTS: Record<Language, { first: () => Promise<Loaded>; rest: () => Promise<Loaded> }> = {
  en: { first: () => import("@/messages/en/first"), rest: () => import("@/messages/en/rest") },
  de: { first: () => import("@/messages/de/first"), rest: () => import("@/messages/de/rest") },
};
const LOCALES: Record<Language, string> = { en: "en-GB", de: "de-DE" };
const KEY = "language";

const chosen = new Store<LanguageChoice>(recall<LanguageChoice>(KEY, "system"));
const shown = new Store<Language>("en");
let catalogues: Loaded = {};
let hasPages = false;
const compiled = new Map<string, IntlMessageFormat>();

/** The language of the page. Whoever reads it is drawn again when it changes. */
export function useLanguage(): Language {
  return useStore(shown);
}

export function useLanguageChoice(): [LanguageChoice, (choice: LanguageChoice) => Promise<void>] {
  return [useStore(chosen), chooseLanguage];
}

/** The language and region by which numbers and dates are written. */
export function locale(): string {
  return LOCALES[shown.get()];
}

/** Fetches what the shell says, in the chosen language. Nothing may be drawn before. */
export async function startLanguage(): Promise<void> {
  await show(languageFor(chosen.get(), navigator.languages));
}

/** Fetches what the pages say; a page waits for it together with its code. */
export async function loadPageMessages(): Promise<void> {
  if (hasPages) return;
  catalogues = { ...catalogues, ...(await PARTS[shown.get()].rest()) };
  hasPages = true;
}

export async function chooseLanguage(choice: LanguageChoice): Promise<void> {
  chosen.set(choice);
  remember(KEY, choice);
  await show(languageFor(choice, navigator.languages));
}

/** The first language of the browser that we have; English where there is none. */
export function languageFor(choice: LanguageChoice, wanted: readonly string[]): Language {
  if (choice !== "system") return choice;
  const codes = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return codes.find((code): code is Language => code in PARTS) ?? "en";
}

async function show(language: Language): Promise<void> {
  const part = PARTS[language];
  const loaded = await Promise.all([part.first(), hasPages ? part.rest() : {}]);
  catalogues = { ...loaded[0], ...loaded[1] };
  compiled.clear();
  document.documentElement.lang = language;
  shown.set(language);
}

/** A message in the language of the page, with its values written in. */
export function t(key: Key, values?: Values): string {
  const text = messageOf(key);
  return values ? String(formatOf(key, text).format<string>(values)) : text;
}

/** A message with elements between its words. */
export function rich(key: Key, values: Record<string, ReactNode>): ReactNode {
  const parts = formatOf(key, messageOf(key)).format<ReactNode>(values);
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts;
}

/** A title in the middle of a sentence: in English it loses its capital, in German nouns keep theirs. */
export function inSentence(title: string): string {
  return shown.get() === "en" ? title.toLowerCase() : title;
}

function messageOf(key: Key): string {
  const dot = key.indexOf(".");
  const text = catalogues[key.slice(0, dot)]?.[key.slice(dot + 1)];
  if (text === undefined) throw new Error(`The message ${key} is used before its catalogue is loaded.`);
  return text;
}

function formatOf(key: string, text: string): IntlMessageFormat {
  let format = compiled.get(key);
  if (!format) {
    format = new IntlMessageFormat(text, locale(), undefined, { ignoreTag: true });
    compiled.set(key, format);
  }
  return format;
}
