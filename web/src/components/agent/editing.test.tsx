import { act, render, renderHook, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import type { Verdict } from "@/lib/agent/actions";
import { rowsOf } from "@/lib/schema/fields";

import { TooltipProvider } from "../Tooltip";

import { ActionCard } from "./ActionCard";
import { useArguments } from "./useArguments";

import type { PendingCall } from "./ActionCard";

const TEXT = { type: "string" };
const SCHEMA = {
  name: "Invoice",
  response_format: {
    type: "json_schema",
    json_schema: {
      name: "invoice",
      strict: true,
      schema: { type: "object", properties: { number: { type: "string" }, total: { type: "string" } }, required: ["number", "total"], additionalProperties: false },
    },
  },
};
const SCHEMA_TOOL = { properties: { name: TEXT, response_format: { type: "object" } }, required: ["name", "response_format"] };

function waiting(name: string, given: object): PendingCall {
  return { id: "c1", name, arguments: JSON.stringify(given), summary: "Do it", preview: { kind: "refusal", reason: "none" } };
}

function show(call: PendingCall, parameters: Record<string, unknown>) {
  const onDecide = vi.fn((verdict: Verdict) => Promise.resolve(void verdict));
  const view = render(<ActionCard call={call} parameters={parameters} onDecide={onDecide} />, { wrapper: TooltipProvider });
  screen.getByRole("group", { name: "Needs your approval: Do it" }).focus();
  return { ...view, onDecide, approved: () => onDecide.mock.calls.at(-1)?.[0].arguments };
}

const approve = () => userEvent.click(screen.getByRole("button", { name: "Approve with changes" }));

describe("the editor of a card", () => {
  it("edits a schema by its fields, as the page of the schema does", async () => {
    const { approved, onDecide } = show(waiting("create_schema", SCHEMA), SCHEMA_TOOL);
    await userEvent.keyboard("e");
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Type of total" }), "Number");
    await userEvent.click(screen.getByRole("checkbox", { name: "total is required" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Description of total" }), "With tax{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "Remove number" }));
    expect(onDecide).not.toHaveBeenCalled();
    await approve();
    expect(approved()).toMatchObject({
      name: "Invoice",
      response_format: { json_schema: { schema: { properties: { total: { type: ["number", "null"], description: "With tax" } }, required: ["total"] } } },
    });
  });

  it("does not approve a field without a name", async () => {
    const { onDecide } = show(waiting("create_schema", SCHEMA), SCHEMA_TOOL);
    await userEvent.keyboard("e");
    await userEvent.clear(screen.getByRole("textbox", { name: "Name of total" }));
    await approve();
    expect(screen.getAllByText("A field needs a name.").length).toBeGreaterThan(0);
    expect(onDecide).not.toHaveBeenCalled();
  });

  it("edits the text of a prompt, and keeps what only the JSON shows", async () => {
    const parameters = { properties: { name: TEXT, content: TEXT, schema_id: TEXT, tag_ids: { type: "array" } }, required: ["name", "content"] };
    const { approved } = show(waiting("create_prompt", { name: "P", content: "Read it.", tag_ids: ["t1"] }), parameters);
    await userEvent.keyboard("e");
    expect(screen.getByText("tag_ids")).toBeVisible();
    const content = screen.getByRole("textbox", { name: "Content" });
    await userEvent.type(content, " Twice.{Enter}Slowly.");
    await approve();
    expect(approved()).toEqual({ name: "P", content: "Read it. Twice.\nSlowly.", tag_ids: ["t1"] });
  });

  it("edits the new texts of a living document", async () => {
    const parameters = { properties: { document: TEXT, edits: { type: "array" } }, required: ["document", "edits"] };
    const edits = [{ find: "May", replace: "June" }, { remove_section: "Costs" }];
    const { approved } = show(waiting("edit_project_document", { document: "Plan", edits }), parameters);
    await userEvent.keyboard("e");
    expect(screen.getByText("Without the section “Costs”")).toBeVisible();
    const text = screen.getByRole("textbox", { name: "Instead of “May”" });
    await userEvent.clear(text);
    await userEvent.type(text, "July");
    await approve();
    expect(approved()).toEqual({ document: "Plan", edits: [{ find: "May", replace: "July" }, { remove_section: "Costs" }] });
  });

  it("begins with what one changes, not with ids and versions", async () => {
    const parameters = { properties: { document: TEXT, base_version: { type: "integer" }, edits: { type: "array" }, reason: TEXT }, required: ["document", "edits"] };
    show(waiting("edit_project_document", { document: "6afc3417eac24453b59bf654", edits: [{ find: "May", replace: "June" }] }), parameters);
    await userEvent.keyboard("e");
    const fields = screen.getAllByRole<HTMLTextAreaElement>("textbox");
    expect(fields.map((field) => field.labels[0]?.textContent)).toEqual(["Instead of “May”", "Reason", "Document", "Base version"]);
    expect(fields[0]).toHaveFocus();
  });

  it("leaves with Escape and keeps the changes, also for a card that is redrawn, until they are given up", async () => {
    const call = waiting("create_schema", SCHEMA);
    const { onDecide, unmount } = show(call, SCHEMA_TOOL);
    await userEvent.keyboard("e{Escape}");
    expect(screen.queryByText(/They are kept/)).toBeNull();
    await userEvent.keyboard("e");
    await userEvent.type(screen.getByRole("textbox", { name: "Description of number" }), "Top right{Escape}");
    expect(screen.getByRole("group", { name: "Needs your approval: Do it" })).toHaveFocus();
    expect(screen.getByText(/They are kept/)).toBeVisible();
    unmount();

    show(call, SCHEMA_TOOL);
    expect(screen.getByRole("button", { name: /Approve as proposed/ })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Keep editing" }));
    expect(screen.getByRole("textbox", { name: "Description of number" })).toHaveValue("Top right");
    await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
    expect(screen.queryByText(/They are kept/)).toBeNull();
    await userEvent.keyboard("e");
    expect(screen.getByRole("textbox", { name: "Description of number" })).toHaveValue("");
    expect(onDecide).not.toHaveBeenCalled();
  });
});

describe("arguments that are edited as a form and as JSON", () => {
  it("go from one to the other without loss", () => {
    const { result } = renderHook(() => useArguments(JSON.stringify(SCHEMA), null, SCHEMA_TOOL));
    expect(result.current).toMatchObject({ asJson: false, changes: null });
    act(() => result.current.change({ ...SCHEMA, name: "Bill" }));
    act(() => result.current.toggle());
    expect(result.current.asJson).toBe(true);
    const typed = result.current.text.replace('"total"', '"sum"').replace('"total"', '"sum"');
    act(() => result.current.type(typed));
    act(() => result.current.toggle());
    expect(result.current.asJson).toBe(false);
    expect(rowsOf(result.current.schema?.format ?? {}).map((row) => row.name)).toEqual(["number", "sum"]);
    expect(result.current.schema?.past).toHaveLength(1);
    act(() => expect(result.current.finished()).toEqual(JSON.parse(typed)));
    expect(result.current.changes).toBe(typed);
  });

  it("stay JSON while it cannot be read, and are not approved so", () => {
    const { result } = renderHook(() => useArguments(JSON.stringify(SCHEMA), "{ half", SCHEMA_TOOL));
    expect(result.current).toMatchObject({ asJson: true, text: "{ half", changes: "{ half" });
    act(() => result.current.toggle());
    expect(result.current.asJson).toBe(true);
    expect(result.current.problem).toContain("not a JSON object");
    act(() => expect(result.current.finished()).toBeNull());
    act(() => result.current.type('{"name": "Invoice", "unheard_of": 1}'));
    act(() => result.current.toggle());
    expect(result.current.problem).toContain("The form cannot show this JSON");
  });
});
