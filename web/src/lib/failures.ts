/** What may help when work on the server failed. */
export type Step = "retry" | "provider" | "model" | "credits" | "document";

/** The request itself did not get through, so that nothing was begun. */
export const NOT_BEGUN = "not_begun";

const STEPS = new Map<string, readonly Step[]>(Object.entries({
  [NOT_BEGUN]: ["retry"],
  model_authentication: ["provider", "model"],
  model_rate_limited: ["retry", "model"],
  model_unavailable: ["retry", "provider", "model"],
  model_timed_out: ["retry", "provider", "model"],
  model_ended_early: ["retry", "model"],
  model_context_too_long: ["model"],
  model_refused: ["model"],
  model_bad_request: ["model", "provider"],
  insufficient_credits: ["credits", "model"],
  invalid_input: ["retry", "model"],
  not_found: ["document"],
  conflict: ["document", "retry"],
  forbidden: [],
  unavailable: ["retry"],
  crashed: ["retry"],
  internal: ["retry"],
}));
/** Work that failed before the server kept codes may have failed by anything. */
const UNKNOWN: readonly Step[] = ["retry", "provider", "model"];

/** The next steps that fit a failure, by the code that the server gives it. */
export function stepsFor(code: string | null | undefined): readonly Step[] {
  return STEPS.get(code ?? "") ?? UNKNOWN;
}
