import { expect, test } from "vitest";

import { stoppedText } from "./stopped";

test("it says what was stopped, and nothing if nothing was", () => {
  expect(stoppedText({ turns: 2, streams: 3 })).toBe(" Stopped: 2 turns, 3 streams.");
  expect(stoppedText({ turns: 1, streams: 0 })).toBe(" Stopped: 1 turn.");
  expect(stoppedText({ turns: 0, streams: 1 })).toBe(" Stopped: 1 stream.");
  expect(stoppedText(undefined)).toBe("");
});
