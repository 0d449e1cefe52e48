import { describe, expect, it } from "vitest";

import { NOT_BEGUN, stepsFor } from "./failures";

describe("what helps when something failed", () => {
  it("leads to the provider for a refused key, and does not offer the same again", () => {
    expect(stepsFor("model_authentication")).toEqual(["provider", "model"]);
  });

  it("offers to try again what may pass, and another model for what will not", () => {
    expect(stepsFor("model_rate_limited")).toContain("retry");
    expect(stepsFor("crashed")).toEqual(["retry"]);
    expect(stepsFor(NOT_BEGUN)).toEqual(["retry"]);
    expect(stepsFor("model_context_too_long")).toEqual(["model"]);
    expect(stepsFor("insufficient_credits")).toEqual(["credits", "model"]);
  });

  it("shows the document if that is what is wrong, and offers everything if nobody knows", () => {
    expect(stepsFor("not_found")).toEqual(["document"]);
    expect(stepsFor(null)).toEqual(["retry", "provider", "model"]);
    expect(stepsFor("constructor")).toEqual(["retry", "provider", "model"]);
  });
});
