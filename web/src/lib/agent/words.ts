import { quoted, words } from "@/lib/format";
import { locale, t } from "@/lib/i18n";

import type { Grant } from "./events";
import type { Call } from "./fold";

/** Why a call was allowed to run, as the end of a sentence: "allowed by ...". */
export function grantWords(grant: Pick<Grant, "kind"> | null): string {
  switch (grant?.kind) {
    case "organization_rule":
      return t("turns.allowedByARuleOfThe");
    case "remembered_rule":
      return t("turns.allowedByYourRuleAlwaysAllow");
    case "request":
      return t("turns.allowedByTheModeOfThis");
    case "user":
      return t("turns.approvedByYou");
    case "act":
      return t("turns.askedForThroughTheApiAnd");
    case "read_only":
      return t("turns.onlyReadsSoItNeverAsks");
    default:
      return "";
  }
}

/** "0.2 s", "14 s", "2 min 5 s". */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return t("turns.secondsMinSeconds2S", { seconds: Math.floor(seconds / 60), seconds2: Math.round(seconds % 60) });
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
}

type Values = Record<string, unknown>;

export function parsed(json: string | null): unknown {
  if (json === null) return null;
  try {
    return JSON.parse(json || "{}") as unknown;
  } catch {
    return json;
  }
}

export function asObject(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

/** JSON with line breaks for people; what is no JSON stays as it is. */
export function pretty(json: string | null): string {
  const value = parsed(json);
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const NOUNS: Record<string, string> = {
  list_documents: "document",
  list_schemas: "schema",
  list_prompts: "prompt",
  list_tags: "tag",
  list_llm_models: "model",
  list_project_documents: "document",
  list_project_versions: "version",
};

/** A tool as people say it. */
export function toolWords(name: string): string {
  return words(name.replace(/\bocr_text\b/, "text").replace("llm_", ""));
}

/** What a reading call did or does, in a few words. */
export function readingWords(call: Call): string {
  const given = asObject(parsed(call.ran ?? call.arguments));
  const found = asObject(parsed(call.result?.content ?? null));
  const done = call.result !== null;
  const noun = NOUNS[call.name];
  if (noun) {
    const count = typeof found.total_count === "number" ? found.total_count : lengthOf(found.models);
    return done && count !== null ? t("turns.lookedAtCount", { noun, count }) : t("turns.lookAtTheNouns", { noun });
  }
  switch (call.name) {
    case "get_ocr_text":
      return t("turns.readPagesOf", { pagesOf: pagesOf(given, found) });
    case "look_at_page":
      return t("turns.lookedAtPage", { page: typeof given.page === "number" ? given.page : 1 });
    case "validate_schema":
      return done ? (found.valid ? t("turns.checkedSchemaValid") : t("turns.checkedSchemaNotValid")) : t("turns.checkTheSchema");
    case "validate_against_schema":
      return done ? (found.valid ? t("turns.checkedDataFitsTheSchema") : t("turns.checkedDataDoesNotFit")) : t("turns.checkTheData");
    case "get_extraction_result":
      return t("turns.readTheExtraction");
    case "get_schema":
    case "get_prompt":
    case "get_tag":
      return typeof found.name === "string" ? t("turns.readNameName2", { name: call.name.slice(4), name2: quoted(found.name) }) : t("turns.readName", { name: call.name.slice(4) });
    case "read_project_document":
      return typeof found.name === "string" ? t("turns.readDocumentName", { name: quoted(found.name) }) : t("turns.readDocument");
    case "help_schemas":
    case "help_prompts":
      return t("turns.readTheManualOnName", { name: call.name.slice(5) });
    case "search_web":
      return call.result?.summary || t("turns.searchTheWebForValue", { value: quoted(typeof given.query === "string" ? given.query : "") });
    case "request_input":
      return t("turns.askedYou");
    default:
      return call.result?.summary || toolWords(call.name);
  }
}

function pagesOf(given: Values, found: Values): string {
  const first = found.page ?? given.page_num ?? given.from_page;
  const last = found.last_page;
  if (typeof first !== "number") return t("common.theText");
  return typeof last === "number" && last > first ? t("turns.pagesFirstToLast", { first, last }) : t("turns.pageFirst", { first });
}

function lengthOf(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

/** What a changing call did, would do, or would have done. */
export function actionWords(call: Call): string {
  if (call.result?.ran && !call.result.isError) return call.result.summary || call.summary || toolWords(call.name);
  return call.summary ?? toolWords(call.name);
}

/** Whether a call belongs among the quiet lines: it only reads, or nobody was asked and nothing happened. */
export function isQuiet(call: Call): boolean {
  if (call.grant) return call.grant.kind === "read_only" || call.grant.kind === "loop";
  if (call.asks || call.decision) return false;
  return true;
}

const LIMITS: Record<string, string> = {
  get steps() { return t("turns.stepsOfOneMessage"); },
  get time() { return t("turns.timeForOneMessage"); },
  get tokens() { return t("turns.tokensOfOneMessage"); },
  get credits() { return t("turns.creditsOfOneMessage"); },
  get calls_per_step() { return t("turns.modelCallsOfOneStep"); },
  get calls_per_turn() { return t("turns.modelCallsOfOneMessage"); },
};

export function limitWords(limit: string): string {
  return t("turns.theAgentReachedTheLimitOf", { limits: LIMITS[limit] ?? limit });
}

export function stopWords(reason: string): string {
  switch (reason) {
    case "input_timed_out":
      return t("turns.stoppedBecauseTheQuestionWasNot");
    case "approval_expired":
      return t("turns.stoppedBecauseNobodyDecidedInTime");
    default:
      return t("turns.youStoppedTheAgentHere");
  }
}
