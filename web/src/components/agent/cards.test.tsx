import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { approval } from "@/lib/agent/hunks";
import { hunksOf } from "@/lib/agent/previews";

import { TooltipProvider } from "../Tooltip";

import { ActionCard } from "./ActionCard";
import { Preview } from "./Preview";
import { QuestionCard } from "./QuestionCard";
import { argumentForm, editsOf, scalarFields, withField } from "./parameters";
import { fieldLines, gathered, typeWords } from "./schemaFields";

import type { PendingCall } from "./ActionCard";

const NAME = { type: "string" };
const PARAMETERS = { type: "object", properties: { name: NAME, color: NAME, tag_ids: { type: "array" } }, required: ["name"] };
const CALL: PendingCall = {
  id: "c1",
  name: "create_tag",
  arguments: "{\"name\":\"bills\",\"color\":\"#aabbcc\"}",
  summary: "Create tag “bills”",
  preview: { kind: "tag", before: null, after: { name: "bills", color: "#aabbcc", description: null } },
};

/** Without numbers it is a preview that was asked for by 0.2.0. */
function changedText(before: string, after: string, leftOut: object = {}) {
  return { kind: "text", name: "Plan", version_from: 1, version_to: 2, fields: [{ field: "content", before, after, ...leftOut }] };
}

const THREE_PLACES: PendingCall = {
  ...CALL,
  name: "edit_project_document",
  summary: "Edit document “Plan”",
  preview: {
    ...changedText("a\nb\nc\nd\ne", "A\nb\nc\nnew\nd\nE", { lines_above: 10, lines_below: 0 }),
    hunks: [
      { line: 11, removes: 1, adds: 1 },
      { line: 14, removes: 0, adds: 1 },
      { line: 15, removes: 1, adds: 1 },
    ],
  },
};

describe("a change in several places", () => {
  it("is cut into its parts; lines that only come have their neighbours with them", () => {
    expect(hunksOf(THREE_PLACES.preview)).toEqual([
      { line: 11, removes: 1, before: "a", after: "A" },
      { line: 14, removes: 0, before: "c\nd", after: "c\nnew\nd" },
      { line: 15, removes: 1, before: "e", after: "E" },
    ]);
    expect(hunksOf(changedText("a", "b", { lines_above: 0, lines_below: 0 }))).toEqual([]);
  });

  it("is approved without the parts that the user rejects", async () => {
    const user = userEvent.setup();
    const onDecide = vi.fn(() => Promise.resolve());
    render(
      <TooltipProvider>
        <ActionCard call={THREE_PLACES} onDecide={onDecide} />
      </TooltipProvider>,
    );
    const parts = screen.getAllByRole("group", { name: /^Change \d of 3/ });
    expect(parts).toHaveLength(3);
    for (const part of parts) await user.click(within(part).getByRole("button", { name: "Reject" }));
    await user.click(screen.getByRole("button", { name: /^Approve 0 of 3/ }));
    expect(onDecide).not.toHaveBeenCalled();
    await user.click(within(parts[0]!).getByRole("button", { name: "Accept" }));
    await user.click(within(parts[2]!).getByRole("button", { name: "Accept" }));
    expect(approval(THREE_PLACES)).toMatchObject({ hunks: [0, 2] });
    await user.click(screen.getByRole("button", { name: /^Approve 2 of 3/ }));
    expect(onDecide).toHaveBeenCalledWith({ call_id: "c1", approved: true, hunks: [0, 2] });
    expect(approval(THREE_PLACES)).toEqual({ call_id: "c1", approved: true });
  });
});

describe("previews", () => {
  it("count the lines of a text that go and come", () => {
    render(<Preview preview={changedText("a\nb\nc\nd\ne\nf", "a\nx\nf", { lines_above: 0, lines_below: 0 })} />);
    expect(screen.getByText("4 lines removed, 1 added")).toBeVisible();
  });

  it("tell the fields of a schema as people do, with what is inside a list in its line", () => {
    const { lines, same } = fieldLines([
      { path: "total", change: "added", before: null, after: { type: ["number", "null"] } },
      { path: "date", change: "added", before: null, after: { type: "string", format: "date" } },
      { path: "lines", change: "added", before: null, after: { type: "array" } },
      { path: "lines[].qty", change: "added", before: null, after: { type: "number" } },
      { path: "lines[].price", change: "added", before: null, after: { type: "number" } },
      { path: "old", change: "removed", before: { type: "string" }, after: null },
      { path: "vat", change: "changed", before: { type: "string" }, after: { type: "number" } },
      { path: "name", change: "same", before: { type: "string" }, after: { type: "string" } },
    ]);
    expect(lines.map((line) => `${line.change} ${line.path}: ${line.words}`)).toEqual([
      "added total: number or nothing",
      "added date: date",
      "added lines[]: qty, price",
      "removed old: text",
      "changed vat: text → number",
    ]);
    expect(same).toBe(1);
    expect(typeWords({ enum: ["a", "b"] })).toBe("one of a, b");
  });

  it("say once what a check finds at several fields, without the places of the JSON", () => {
    const ignored = "A provider may ignore 'format'.";
    const found = ["issued", "lines.items.properties.properties"].map((at) => ({ path: `json_schema.schema.properties.${at}.format`, message: ignored }));
    expect(gathered([...found, { path: "json_schema.name", message: "Too long" }])).toEqual([
      { message: ignored, fields: ["issued", "lines.properties"] },
      { message: "Too long", fields: [] },
    ]);
  });

  it("show what turns the direction of writing, and keep it where it stands", () => {
    const { container } = render(<Preview preview={{ kind: "delete", noun: "document", name: "fdp.\u202egnp", removes: ["\u2066x"] }} />);
    expect(container.textContent).toBe("Goes away: fdp.\ufffdgnp\ufffdx");
    expect(container.querySelector("bdi")?.textContent).toBe("fdp.\ufffdgnp");
  });

  it.each([
    [{ kind: "value", path: "lines.0.unit_price", before: 1, after: 2.5, prompt: "Invoice" }, /Lines, row 1, Unit price\s*1\s*→\s*2.5/],
    [{ kind: "delete", noun: "document", name: "a.pdf", removes: ["the file", "the text of 3 pages"] }, /Goes away: a.pdf.*the file.*the text of 3 pages/],
    [{ kind: "document", before: { tags: [] }, after: { tags: ["bills"] } }, /Tags\s*none\s*→\s*bills/],
    [{ kind: "extraction", prompt: "P", schema: null, model: "m", document: "d.pdf", pages: 2, replaces: true }, /d.pdf \(2 pages\).*Replaces/],
    [{ kind: "search", query: "VAT of “Acme”\u202e" }, /^Exactly this goes to the search engine:VAT of “Acme”\ufffd$/],
    [{ kind: "outside_call", server: "weather", tool: "forecast", arguments: { city: "Paris\u202e" } }, /^Exactly this goes to forecast of the MCP server weather:{ "city": "Paris\ufffd" }$/],
    [{ kind: "refusal", reason: "no such tag" }, /It will be refused: no such tag/],
    [{ kind: "prompt", version_from: 1, version_to: 2, fields: [{ field: "model", before: "default", after: "x" }] }, /Model\s*default\s*→\s*x/],
    [{ kind: "schema", name: "I", fields: [], errors: [{ path: "json_schema.schema.properties.a", message: "is not closed" }], warnings: [] }, /It will be refused:.*a: is not closed/],
    [changedText("c\nd", "c\nD", { lines_above: 2, lines_below: 5 }), /^Unchanged parts are left out-removed: c d\+added: c DUnchanged parts are left out$/],
    [changedText("[… 2 lines as they are …]\na\nb\nc\nd", "[… 2 lines as they are …]\na\nb\nc\nD"), /^-removed: \[… 2 lines as they are …\] a b c d\+added: \[… 2 lines as they are …\] a b c D$/],
  ])("say what would change: %o", async (preview, words) => {
    const { container } = render(<Preview preview={preview} />);
    await waitFor(() => expect(container).toHaveTextContent(words));
  });
});

describe("parameters", () => {
  it("are a form, beside which something given may be left to the JSON", () => {
    expect(argumentForm(PARAMETERS, { name: "a" })?.fields.map((field) => field.name)).toEqual(["name", "color"]);
    expect(argumentForm(PARAMETERS, { name: "a", tag_ids: [] })).toMatchObject({ fields: [{ name: "name" }, { name: "color" }], rest: ["tag_ids"] });
    expect(argumentForm(PARAMETERS, { name: "a", unheard_of: 1 })).toBeNull();
    expect(argumentForm(undefined, {})).toBeNull();
    expect(scalarFields(PARAMETERS).map((field) => field.name)).toEqual(["name", "color"]);
    expect(scalarFields(undefined)).toEqual([]);
    expect(argumentForm({ properties: { value: {} }, required: ["value"] }, { value: 3 })?.fields[0]?.kind).toBe("number");
    expect(argumentForm({ properties: { rows: { type: "array" } }, required: ["rows"] }, {})).toBeNull();
  });

  it("name each edit of a text, and leave edits of a kind that they do not know to the JSON", () => {
    expect(editsOf([{ find: "May", replace: "June", every: true }, { section: "Steps", content: "x" }, { append: "y" }, { append_to_section: "Costs", content: "z" }, { remove_section: "Old" }])).toEqual([
      { does: "Everywhere instead of “May”", key: "replace" },
      { does: "The text below “Steps”", key: "content" },
      { does: "At the end of the document", key: "append" },
      { does: "At the end of “Costs”", key: "content" },
      { does: "Without the section “Old”", key: null },
    ]);
    expect(editsOf([{ turn_upside_down: true }])).toBeNull();
    expect(editsOf([])).toBeNull();
  });

  it("keep their types, and are left out when emptied", () => {
    const color = scalarFields(PARAMETERS).find((field) => field.name === "color");
    if (!color) throw new Error("a field");
    expect(withField({ name: "a", color: "b" }, { ...color, required: false }, "")).toEqual({ name: "a" });
    expect(withField({ n: 1 }, { name: "n", kind: "number", choices: [], required: true }, "2,5")).toEqual({ n: 2.5 });
  });
});

describe("ActionCard", () => {
  function show(onDecide = vi.fn(() => Promise.resolve())) {
    render(<ActionCard call={CALL} parameters={PARAMETERS} onDecide={onDecide} />, { wrapper: TooltipProvider });
    const card = screen.getByRole("group", { name: "Needs your approval: Create tag “bills”" });
    card.focus();
    return { card, onDecide };
  }

  it("approves with A", async () => {
    const { onDecide } = show();
    await userEvent.keyboard("a");
    expect(onDecide).toHaveBeenCalledWith({ call_id: "c1", approved: true });
  });

  it("rejects with R and a reason, in which the keys are letters", async () => {
    const { onDecide } = show();
    await userEvent.keyboard("r");
    await userEvent.keyboard("are you sure{Enter}");
    expect(onDecide).toHaveBeenCalledWith({ call_id: "c1", approved: false, reason: "are you sure" });
  });

  it("edits with E and comes back with Escape", async () => {
    const { card, onDecide } = show();
    await userEvent.keyboard("e");
    const name = screen.getByRole("textbox", { name: "Name" });
    await userEvent.clear(name);
    await userEvent.type(name, "invoices");
    await userEvent.click(screen.getByRole("button", { name: "Approve with changes" }));
    expect(onDecide).toHaveBeenCalledWith({ call_id: "c1", approved: true, arguments: { name: "invoices", color: "#aabbcc" } });
    await userEvent.type(name, "{Escape}");
    expect(card).toHaveFocus();
  });

  it("remembers for the document or everywhere", async () => {
    const { onDecide } = show();
    await userEvent.click(screen.getByRole("button", { name: "More choices" }));
    await userEvent.click(screen.getByRole("menuitem", { name: "Everywhere" }));
    expect(onDecide).toHaveBeenCalledWith({ call_id: "c1", approved: true, always_allow: "organization" });
  });

  it.each([
    { kind: "search", query: "VAT" },
    { kind: "outside_call", server: "weather", tool: "forecast", arguments: { city: "Paris" } },
  ])("offers to remember nothing that leaves the server: $kind is looked at each time", (preview) => {
    const leaving = { ...CALL, name: "search_web", summary: "Search the web for “VAT”", preview };
    render(<ActionCard call={leaving} onDecide={vi.fn(() => Promise.resolve())} />, { wrapper: TooltipProvider });
    expect(screen.getByRole("button", { name: /Approve/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "More choices" })).toBeNull();
  });

  it("says why a verdict did not count, and keeps the card", async () => {
    const { card } = show(vi.fn(() => Promise.reject(new Error("someone else has just decided"))));
    await userEvent.keyboard("a");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nothing was decided. someone else has just decided");
    expect(card).toHaveFocus();
  });

  it("shows the JSON one click away", async () => {
    show();
    await userEvent.click(screen.getByRole("button", { name: "JSON" }));
    expect(screen.getByRole("region", { name: "Arguments as JSON" })).toHaveTextContent("\"name\": \"bills\"");
  });
});

describe("QuestionCard", () => {
  it("takes a choice, or one's own words", async () => {
    const onAnswer = vi.fn(() => Promise.resolve());
    render(<QuestionCard question="Which?" choices={["A", "B"]} expiresAt={null} onAnswer={onAnswer} />);
    await userEvent.click(screen.getByRole("button", { name: "B" }));
    await userEvent.type(screen.getByRole("textbox"), "neither{Enter}");
    expect(onAnswer.mock.calls).toEqual([["B"], ["neither"]]);
  });
});
