import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { useDraft } from "./drafts";

import type { Mentionable } from "./mentions";

const invoice: Mentionable = { type: "schema", id: "1", label: "Invoice" };
const paid: Mentionable = { type: "tag", id: "2", label: "paid" };

it("keeps what was written while a message that did not arrive comes back", () => {
  const { result } = renderHook(() => useDraft("a document"));
  act(() => result.current.setDraft({ text: "And which are @paid?", chosen: [paid] }));
  act(() => result.current.putBack({ text: "Sum up @Invoice", chosen: [invoice] }));
  expect(result.current.draft).toEqual({ text: "Sum up @Invoice\nAnd which are @paid?", chosen: [invoice, paid] });
});

it("brings a message back alone where nothing was written since", () => {
  const { result } = renderHook(() => useDraft("another document"));
  act(() => result.current.putBack({ text: "Sum it up", chosen: [] }));
  expect(result.current.draft).toEqual({ text: "Sum it up", chosen: [] });
});

it("keeps what was written through a reload", async () => {
  const { result } = renderHook(() => useDraft("a third document"));
  act(() => result.current.setDraft({ text: "Half a", chosen: [] }));
  vi.resetModules();
  const { useDraft: loadedAgain } = await import("./drafts");
  expect(renderHook(() => loadedAgain("a third document")).result.current.draft.text).toBe("Half a");
});
