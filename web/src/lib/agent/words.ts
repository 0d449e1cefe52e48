import { plural, quoted, words } from "@/lib/format";

import type { Grant } from "./events";
import type { Call } from "./fold";

/** Why a call was allowed to run, as the end of a sentence: "allowed by ...". */
export function grantWords(grant: Pick<Grant, "kind"> | null): string {
  switch (grant?.kind) {
    case "organization_rule":
      return "allowed by a rule of the organisation";
    case "remembered_rule":
      return "allowed by your rule “always allow”";
    case "request":
      return "allowed by the mode of this message";
    case "user":
      return "approved by you";
    case "act":
      return "asked for through the API, and nothing is lost by it";
    case "read_only":
      return "only reads, so it never asks";
    default:
      return "";
  }
}

/** "0.2 s", "14 s", "2 min 5 s". */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
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
    return done && count !== null ? `Looked at ${plural(count, noun)}` : `Look at the ${noun}s`;
  }
  switch (call.name) {
    case "get_ocr_text":
      return `Read ${pagesOf(given, found)}`;
    case "validate_schema":
      return done ? `Checked schema: ${found.valid ? "valid" : "not valid"}` : "Check the schema";
    case "validate_against_schema":
      return done ? `Checked data: ${found.valid ? "fits the schema" : "does not fit"}` : "Check the data";
    case "get_extraction_result":
      return "Read the extraction";
    case "get_schema":
    case "get_prompt":
    case "get_tag":
      return `Read ${call.name.slice(4)}${typeof found.name === "string" ? ` ${quoted(found.name)}` : ""}`;
    case "read_project_document":
      return `Read document${typeof found.name === "string" ? ` ${quoted(found.name)}` : ""}`;
    case "help_schemas":
    case "help_prompts":
      return `Read the manual on ${call.name.slice(5)}`;
    case "search_web":
      return call.result?.summary || `Search the web for ${quoted(typeof given.query === "string" ? given.query : "")}`;
    case "request_input":
      return "Asked you";
    default:
      return call.result?.summary || toolWords(call.name);
  }
}

function pagesOf(given: Values, found: Values): string {
  const first = found.page ?? given.page_num ?? given.from_page;
  const last = found.last_page;
  if (typeof first !== "number") return "the text";
  return typeof last === "number" && last > first ? `pages ${first} to ${last}` : `page ${first}`;
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
  steps: "steps of one message",
  time: "time for one message",
  tokens: "tokens of one message",
  credits: "credits of one message",
  calls_per_step: "model calls of one step",
  calls_per_turn: "model calls of one message",
};

export function limitWords(limit: string): string {
  return `The agent reached the limit of ${LIMITS[limit] ?? limit}. What was done is kept; say “go on” to continue.`;
}

export function stopWords(reason: string): string {
  switch (reason) {
    case "input_timed_out":
      return "Stopped, because the question was not answered in time.";
    case "approval_expired":
      return "Stopped, because nobody decided in time.";
    default:
      return "You stopped the agent here.";
  }
}
