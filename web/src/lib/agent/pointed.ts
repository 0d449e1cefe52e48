import { createContext } from "react";

/** A value of the document that a reply may name, in the ways in which people write it. */
export interface Said {
  /** The citation of the value: `doc:.../prompt/path`. */
  href: string;
  /** What the value is called. */
  label: string;
  forms: readonly string[];
}

export interface SaidValues {
  values: readonly Said[];
  /** Lights the words of a value; false if it is none of these. */
  light: (href: string) => boolean;
}

/** The values of the document that is shown beside the conversation; null where there is none. */
export const SaidContext = createContext<SaidValues | null>(null);

const SHORTEST = 3;
const LONGEST = 80;
/** Code, and links that are there already, are left as they are. */
const LEFT_ALONE = /(```[^]*?(?:```|$)|`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>|https?:\/\/\S+)/;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const MARKDOWN = /[\\[\]`*_<>|]/;

/** How a value may be written in a reply. */
export function formsOf(value: unknown, printed: string): string[] {
  const forms = [printed];
  if (typeof value === "string") forms.push(value);
  if (typeof value === "number") {
    for (const language of ["en", "de"]) {
      forms.push(value.toLocaleString(language), value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
    }
    forms.push(String(value));
  }
  const usable = (form: string): boolean => form.length >= SHORTEST && form.length <= LONGEST && !MARKDOWN.test(form) && !form.includes("\n");
  return [...new Set(forms.map((form) => form.trim()))].filter(usable);
}

/** A reply in markdown in which the names and numbers of the document are links to their words. */
export function pointed(text: string, values: readonly Said[]): string {
  const hrefs = new Map<string, string>();
  for (const { href, forms } of values) for (const form of forms) if (!hrefs.has(form)) hrefs.set(form, href);
  if (!hrefs.size) return text;
  const longestFirst = [...hrefs.keys()].sort((one, other) => other.length - one.length);
  const any = longestFirst.map((form) => form.replace(SPECIAL, "\\$&")).join("|");
  const found = new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,])(?:${any})(?![\\p{L}\\p{N}]|[.,]\\d)`, "gu");
  return text
    .split(LEFT_ALONE)
    .map((piece, place) => (place % 2 ? piece : piece.replace(found, (form) => `[${form}](${hrefs.get(form) ?? ""})`)))
    .join("");
}
