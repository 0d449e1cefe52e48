import { expect, it } from "vitest";

import { fetchAhead, takeAhead } from "./ahead";

const BYTES = new Uint8Array([1]);

it("gives what was fetched ahead once, and nothing that did not come", async () => {
  let count = 0;
  const fetched = (): Promise<Uint8Array> => {
    count += 1;
    return Promise.resolve(BYTES);
  };
  fetchAhead("/a", fetched);
  fetchAhead("/a", fetched);
  expect(count).toBe(1);
  expect(await takeAhead("/b")).toBeNull();
  expect(await takeAhead("/a")).toBe(BYTES);
  expect(await takeAhead("/a")).toBeNull();
  fetchAhead("/c", () => Promise.reject(new Error("away")));
  expect(await takeAhead("/c")).toBeNull();
});
