import type { Schemas } from "@/lib/api/client";
import { t } from "@/lib/i18n";
import { tallyWords } from "@/lib/known";

export type Document = Schemas["DocumentOut"];
export type DocumentState = Document["state"];

/** What the server knows of a document's results, beside its state. */
export type Facts = Schemas["DocumentHighlightsOut"];

export interface Standing {
  mark: "waiting" | "working" | "done" | "review" | "failed";
  text: string;
  /** How far it is, where that is known. */
  progress?: { value: number; max: number };
  /** What there is to know beside the word, in a few more. */
  note?: string;
  /** Why it failed, or what its text lacks, in plain words. */
  reason?: string;
}

/** Where a document stands, in words for people: what was made of it, not which job ran last. */
export function standing(document: Document, facts?: Facts): Standing {
  const reason = document.state_reason ?? undefined;
  switch (document.state) {
    case "uploaded":
      return { mark: "waiting", text: t("lib.waitingToBeRead") };
    case "ocr_processing":
      return reading(document);
    case "ocr_failed":
      return { mark: "failed", text: t("lib.notReadable"), reason };
    case "llm_processing":
      return extracting(facts);
    case "llm_failed":
      return { mark: "failed", text: t("lib.extractionFailed"), reason };
    case "ocr_completed":
    case "llm_completed":
      return { ...made(document, facts), reason };
  }
}

function made(document: Document, facts: Facts | undefined): Standing {
  if (document.state_reason_code === "extraction") return { mark: "review", text: t("lib.needsReview"), note: t("lib.notEveryPromptFinished") };
  if (!facts?.extracted) return { mark: "done", text: facts?.summarised ? t("common.summarised") : t("lib.read") };
  const { values, to_check } = facts.review;
  const note = values ? tallyWords(facts.review) : undefined;
  return to_check ? { mark: "review", text: t("lib.needsReview"), note } : { mark: "done", text: t("lib.extracted"), note };
}

/** Which part of a long document the model has before it, and which prompt of several runs. */
function extracting(facts: Facts | undefined): Standing {
  const at = facts?.extracting;
  if (!at) return { mark: "working", text: t("lib.extracting") };
  const parts = [at.prompts > 1 && t("lib.promptPromptOfPrompts", { prompt: at.prompt, prompts: at.prompts }), at.windows > 1 && t("lib.partWindowOfWindows", { window: at.window, windows: at.windows })];
  const told = parts.filter(Boolean).join(", ");
  const done = (at.prompt - 1) * at.windows + at.window - 1;
  return {
    mark: "working",
    text: told ? t("lib.extractingTold", { told }) : t("lib.extracting"),
    progress: told ? { value: done, max: at.prompts * at.windows } : undefined,
  };
}

/** Which pages of a document that was read have no text, in a sentence. */
export function blankPages(document: Document): string | null {
  return document.state_reason_code === "no_text" ? document.state_reason : null;
}

function reading(document: Document): Standing {
  if (!document.page_count) return { mark: "working", text: t("lib.reading") };
  const value = Math.min(document.pages_read + 1, document.page_count);
  return {
    mark: "working",
    text: t("lib.readingPageValueOfPageCount", { value, pageCount: document.page_count }),
    progress: { value: document.pages_read, max: document.page_count },
  };
}

const UNDER_WAY: ReadonlySet<DocumentState> = new Set(["uploaded", "ocr_processing", "llm_processing"]);
const FRESH_MS = 10 * 60_000;
const OFTEN_MS = 1_500;
const SELDOM_MS = 10_000;

export function isUnderWay(document: Document): boolean {
  return UNDER_WAY.has(document.state);
}

/** Where the agent's preparation of a document stands, as long as that matters to somebody. */
export function proposalStanding(document: Document): { mark: "working" | "waits-for-you" | "failed"; text: string; reason?: string } | null {
  switch (document.auto_create_status) {
    case "running":
      return { mark: "working", text: t("lib.preparingAProposal") };
    case "proposed":
      return { mark: "waits-for-you", text: t("common.proposed") };
    case "failed":
      return { mark: "failed", text: t("lib.failedToPrepare"), reason: document.auto_create_error ?? undefined };
    default:
      return null;
  }
}

/** Whether the agent prepares a proposal, or is about to. */
export function isPreparing(document: Document, now: number = Date.now()): boolean {
  if (document.auto_create_status === "running") return true;
  const isFresh = now - Date.parse(document.upload_date) < FRESH_MS;
  return document.auto_create && document.auto_create_status === null && document.state !== "ocr_failed" && isFresh;
}

/**
 * How soon to look again, or false. A document that was read a short while ago may have an extraction waiting in the
 * queue, which its state does not tell, so it is looked at now and then.
 */
export function pollInterval(documents: Document[] | undefined, now: number = Date.now()): number | false {
  if (!documents) return false;
  if (documents.some((document) => isUnderWay(document) || isPreparing(document, now))) return OFTEN_MS;
  const mayGoOn = (document: Document): boolean =>
    document.state === "ocr_completed" && now - Date.parse(document.upload_date) < FRESH_MS;
  const justRead = documents.filter(mayGoOn);
  if (justRead.some((document) => now - Date.parse(document.upload_date) < FRESH_MS / 10)) return OFTEN_MS;
  return justRead.length ? SELDOM_MS : false;
}
