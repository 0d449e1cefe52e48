import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import { part, tryAgain, usePartTrouble } from "./parts";

afterEach(() => vi.unstubAllGlobals());

describe("a part of the client", () => {
  it("is waited for while the server is away, and there when it is back", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const { result } = renderHook(() => usePartTrouble());
    let isBack = false;
    const loaded = part(() => (isBack ? Promise.resolve("the page") : Promise.reject(new TypeError("Failed to fetch"))))();
    await waitFor(() => expect(result.current).toBe("away"));
    isBack = true;
    tryAgain();
    await expect(loaded).resolves.toBe("the page");
    await waitFor(() => expect(result.current).toBeNull());
  });

  it("is known to be replaced when the server answers and has it no longer", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
    const { result } = renderHook(() => usePartTrouble());
    let gives = false;
    const loaded = part(() => (gives ? Promise.resolve("") : Promise.reject(new TypeError("404"))))();
    await waitFor(() => expect(result.current).toBe("replaced"));
    gives = true;
    tryAgain();
    await loaded;
  });
});
