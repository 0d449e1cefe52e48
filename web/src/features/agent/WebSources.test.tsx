import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { LogEvent } from "@/lib/agent/events";
import { emptyTurn, foldAll } from "@/lib/agent/fold";

import { ToolRow } from "./ToolRow";

const AT = "2026-03-14T10:00:00Z";

/** A search that ran, with what its result says. */
function search(content: unknown, more: object = {}) {
  const events = [
    { type: "step_started", step: 1 },
    { type: "assistant_message", step: 1, model: "m", parts: [{ type: "call", id: "s", name: "search_web", arguments: '{"query":"VAT"}' }] },
    { type: "tool_started", call_id: "s", name: "search_web", arguments: '{"query":"VAT"}', grant: { kind: "read_only" } },
    { type: "tool_result", call_id: "s", name: "search_web", content: JSON.stringify(content), summary: "Searched the web for “VAT”: 2 sources", ...more },
  ];
  const turn = foldAll(emptyTurn("t"), events.map((event, index) => ({ ...event, seq: index + 1, at: AT }) as LogEvent));
  const [call] = Object.values(turn.calls);
  if (!call) throw new Error("no call");
  return call;
}

describe("a search on the web", () => {
  it("shows its sources as links that say where they lead", () => {
    const sources = [
      { title: "VAT \u202erates", address: "https://a.example/vat?a=b", published: "2026-03-14", excerpt: "x" },
      { title: "", address: "http://a.example:8080/", published: null, excerpt: "" },
    ];
    render(<ToolRow call={search({ sources })} />);
    const list = screen.getByRole("list", { name: "Sources" });
    const [first, second] = within(list).getAllByRole("link");
    expect(first).toHaveTextContent("VAT \ufffdrates");
    expect(first).toHaveAttribute("href", "https://a.example/vat?a=b");
    expect(first?.getAttribute("rel")?.split(" ")).toContain("noopener");
    expect(second).toHaveTextContent("a.example:8080");
    expect(list).toHaveTextContent("a.example, 2026-03-14");
    expect(screen.getByRole("button", { name: /Searched the web for “VAT”/ })).toBeVisible();
  });

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "/documents",
    "//a.example/",
    "https://a.example@evil.example/",
    "https://",
    7,
    null,
  ])("makes no link of %o", (address) => {
    render(<ToolRow call={search({ sources: [{ title: "x", address }] })} />);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it.each([[{}], [{ sources: "x" }], [[]], ["x"]])("shows no list for %o", (content) => {
    render(<ToolRow call={search(content)} />);
    expect(screen.queryByRole("list")).toBeNull();
  });

  it("shows none where it failed", () => {
    render(<ToolRow call={search({ sources: [{ title: "x", address: "https://a.example/" }] }, { is_error: true })} />);
    expect(screen.queryByRole("link")).toBeNull();
  });
});
