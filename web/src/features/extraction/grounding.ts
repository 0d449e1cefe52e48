import { valueAt } from "@/lib/fieldPath";
import { quoted } from "@/lib/format";
import type { Box, Spot } from "@/lib/places";
import { printedAs } from "@/lib/written";

const LONGEST_QUOTED = 60;

/** Where one value stands, as the server tells it. */
export interface Grounding {
  match: "exact" | "normalised" | "fuzzy" | "several_candidates" | "unproven";
  page: number | null;
  words: { text: string; page: number; box: Box }[];
  candidates: number;
  /** Other places; of a value that stands only in hidden text, the places there. */
  alternatives?: { page: number }[];
  signals?: { reason?: string | null; confidence?: number | null; learnt?: "agrees" | "differs"; learnt_from?: number; pointed?: boolean };
  /** The chance that the value is right, 0..1. Results of older versions have none. */
  confidence?: number;
  /** Which voice of the built-in model found it, and what another one read instead. */
  voice?: "rules" | "network" | "both" | "memory";
  rivals?: unknown[];
}

/** The grounding of a value, from the tree that mirrors the data; null for a value that is empty. */
export function groundingAt(tree: unknown, path: string): Grounding | null {
  const found = valueAt(tree, path);
  return isGrounding(found) ? found : null;
}

export function isLocated(grounding: Grounding | null): boolean {
  return grounding !== null && grounding.match !== "unproven" && grounding.words.length > 0;
}

export function spotsOf(grounding: Grounding | null): Spot[] {
  return grounding?.words.map(({ page, box }) => ({ page, box })) ?? [];
}

/** How surely a value is proven, in a sentence. */
export function told(grounding: Grounding | null, value?: unknown): string {
  if (!grounding) return "There is nothing to look for.";
  const where = onPages(grounding);
  if (grounding.signals?.pointed) return `Pointed at${where}.`;
  switch (grounding.match) {
    case "exact":
      return `Printed${where}, letter for letter.`;
    case "normalised":
      return `Printed${where}${otherForm(grounding, value)}.`;
    case "fuzzy":
      return `Nearly the same is printed${where}.`;
    case "several_candidates":
      return `Printed in ${grounding.candidates} places; the first is shown.`;
    case "unproven":
      return whyUnproven(grounding);
  }
}

/** How sure the value is, in words; nothing for results that do not say. */
export function sureness(grounding: Grounding | null): string {
  const chance = grounding?.confidence;
  if (chance === undefined) return "";
  const word = SURENESS.find(([least]) => chance >= least)?.[1] ?? "Probably wrong";
  return `${word}: of 100 values like it, about ${Math.round(chance * 100)} are right.`;
}

/** What verified documents of the same layout say of the value; nothing if none is known. */
export function taught(grounding: Grounding | null): string {
  const { learnt, learnt_from: count } = grounding?.signals ?? {};
  if (!learnt || !count) return "";
  const documents = count === 1 ? "1 document" : `${count} documents`;
  return learnt === "agrees" ? `Learnt from ${documents} of this layout.` : `${documents} of this layout say another value.`;
}

const SURENESS: readonly (readonly [number, string])[] = [
  [0.97, "Almost certainly right"],
  [0.9, "Very likely right"],
  [0.7, "Probably right"],
  [0.4, "Doubtful"],
];

/** What the page prints instead of the value; nothing where it is the same number, however many zeros it ends in. */
function otherForm({ words }: Grounding, value: unknown): string {
  const printed = words.map((word) => word.text).join(" ");
  if (typeof value === "number" && printedAs(value, printed)) return "";
  return printed && printed.length <= LONGEST_QUOTED ? ` as ${quoted(printed)}` : " in another form";
}

/** The page of the value, or both if it runs over a page break. */
function onPages({ page, words }: Grounding): string {
  const last = words.at(-1)?.page;
  if (page && last && last !== page) return ` on pages ${page} and ${last}`;
  return page ? ` on page ${page}` : "";
}

function whyUnproven({ signals, alternatives }: Grounding): string {
  switch (signals?.reason) {
    case "contradicted":
      return "The check box with this label says otherwise.";
    case "hidden":
      return `Stands only in hidden text on page ${alternatives?.[0]?.page ?? 1}: it is invisible, covered, or too pale or small to see.`;
    default:
      return "Not found in the document.";
  }
}

function isGrounding(value: unknown): value is Grounding {
  return typeof value === "object" && value !== null && "match" in value && "words" in value;
}
