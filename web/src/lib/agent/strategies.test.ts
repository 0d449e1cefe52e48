import { expect, test } from "vitest";

import { strategyName } from "./strategies";

test("known ways of working have names of their own, others keep their words", () => {
  expect(strategyName("react")).toBe("Reason and act (ReAct)");
  expect(strategyName("llm-only")).toBe("No tools");
  expect(strategyName("house-style")).toBe("House style");
});
