import { valueAt } from "@/lib/fieldPath";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";
import type { Key } from "@/lib/i18n";
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
  voice?: "rules" | "network" | "both" | "memory" | "model";
  rivals?: unknown[];
  /** Where only a model that was shown a picture saw it, and what our readers read there. It proves nothing. */
  seen?: { page: number; box: Box; read: string };
}

/** The grounding of a value, from the tree that mirrors the data; null for a value that is empty. */
export function groundingAt(tree: unknown, path: string): Grounding | null {
  const found = valueAt(tree, path);
  return isGrounding(found) ? found : null;
}

export function isLocated(grounding: Grounding | null): boolean {
  return grounding !== null && grounding.match !== "unproven" && grounding.words.length > 0;
}

const CHANCES: Record<Grounding["match"], number> = { exact: 1, normalised: 0.95, fuzzy: 0.8, several_candidates: 0.6, unproven: 0 };

/** The chance that a value is right, 0..1. Of results of older versions only the kind of match is known. */
export function chanceOf(grounding: Grounding | null): number | null {
  return grounding ? (grounding.confidence ?? CHANCES[grounding.match]) : null;
}

export function spotsOf(grounding: Grounding | null): Spot[] {
  if (grounding?.seen) return [{ page: grounding.seen.page, box: grounding.seen.box }];
  return grounding?.words.map(({ page, box }) => ({ page, box })) ?? [];
}

/** How surely a value is proven, in a sentence. */
export function told(grounding: Grounding | null, value?: unknown): string {
  if (!grounding) return t("extraction.thereIsNothingToLookFor");
  const where = onPages(grounding);
  if (grounding.signals?.pointed) return t("extraction.pointedAtWhere", { where });
  switch (grounding.match) {
    case "exact":
      return t("extraction.printedWhereLetterForLetter", { where });
    case "normalised":
      return t("extraction.printedWhereForm", { where, form: otherForm(grounding, value) });
    case "fuzzy":
      return t("extraction.nearlyTheSameIsPrintedWhere", { where });
    case "several_candidates":
      return t("extraction.printedInCandidatesPlacesTheFirst", { candidates: grounding.candidates });
    case "unproven":
      return whyUnproven(grounding);
  }
}

/** How sure the value is, in words; nothing for results that do not say. */
export function sureness(grounding: Grounding | null): string {
  const chance = grounding?.confidence;
  if (chance === undefined) return "";
  const word = SURENESS.find(([least]) => chance >= least)?.[1] ?? "extraction.probablyWrong";
  return t("extraction.wordOf100ValuesLikeIt", { word: t(word), chance: Math.round(chance * 100) });
}

/** What verified documents of the same layout say of the value; nothing if none is known. */
export function taught(grounding: Grounding | null): string {
  const { learnt, learnt_from: count } = grounding?.signals ?? {};
  if (!learnt || !count) return "";
  const documents = t("extraction.countDocuments", { count });
  return learnt === "agrees" ? t("extraction.learntFromDocumentsOfThisLayout", { documents }) : t("extraction.documentsOfThisLayoutSayAnother", { documents });
}

const SURENESS: readonly (readonly [number, Key])[] = [
  [0.97, "extraction.almostCertainlyRight"],
  [0.9, "extraction.veryLikelyRight"],
  [0.7, "extraction.probablyRight"],
  [0.4, "extraction.doubtful"],
];

/** What the page prints instead of the value; nothing where it is the same number, however many zeros it ends in. */
function otherForm({ words }: Grounding, value: unknown): string {
  const printed = words.map((word) => word.text).join(" ");
  if (typeof value === "number" && printedAs(value, printed)) return "";
  return printed && printed.length <= LONGEST_QUOTED ? t("extraction.asPrinted", { printed: quoted(printed) }) : t("extraction.inAnotherForm");
}

/** The page of the value, or both if it runs over a page break. */
function onPages({ page, words }: Grounding): string {
  const last = words.at(-1)?.page;
  if (page && last && last !== page) return t("extraction.onPagesPageAndLast", { page, last });
  return page ? t("extraction.onPagePage", { page }) : "";
}

function whyUnproven({ signals, alternatives, seen }: Grounding): string {
  if (seen) {
    const read = seen.read.trim() ? t("extraction.theReadersRead", { read: quoted(seen.read.trim().slice(0, LONGEST_QUOTED)) }) : "";
    return `${t("extraction.seenByTheModelOnPage", { page: seen.page })} ${read}`.trim();
  }
  switch (signals?.reason) {
    case "contradicted":
      return t("extraction.theCheckBoxWithThisLabel");
    case "seen_by_model":
      return t("extraction.onlyAModelReadsItOn", { page: alternatives?.[0]?.page ?? 1 });
    case "hidden":
      return t("extraction.standsOnlyInHiddenTextOn", { page: alternatives?.[0]?.page ?? 1 });
    default:
      return t("extraction.notFoundInTheDocument");
  }
}

function isGrounding(value: unknown): value is Grounding {
  return typeof value === "object" && value !== null && "match" in value && "words" in value;
}
