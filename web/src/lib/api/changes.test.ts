import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Refresher } from "./changes";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("passes the first change on at once, and what follows together", () => {
  const passed: string[] = [];
  const refresher = new Refresher((key) => passed.push(key.join(" ")));
  refresher.touch(["o", "documents"]);
  expect(passed).toEqual(["o documents"]);
  for (let number = 0; number < 100; number += 1) refresher.touch(["o", "documents"], ["o", "inbox"]);
  expect(passed).toEqual(["o documents"]);
  vi.runOnlyPendingTimers();
  expect(passed).toEqual(["o documents", "o documents", "o inbox"]);
  vi.runOnlyPendingTimers();
  refresher.touch(["o", "inbox"]);
  expect(passed).toHaveLength(4);
});
