import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";

import { MentionInput } from "./MentionInput";
import { mentionAt, mentionsIn, suggestions, tokensIn } from "./mentions";

import type { Draft } from "./MentionInput";
import type { Mentionable } from "./mentions";

const INVOICE: Mentionable = { type: "schema", id: "s3", label: "Invoice v3" };
const INVOICES: Mentionable = { type: "prompt", id: "p1", label: "Invoice v3 prompt v1" };
const URGENT: Mentionable = { type: "tag", id: "t1", label: "urgent" };
const ALL = [INVOICE, INVOICES, URGENT];

function Written({ onSend, onDraft }: { onSend: () => void; onDraft: (draft: Draft) => void }) {
  const [draft, setDraft] = useState<Draft>({ text: "", chosen: [] });
  return (
    <MentionInput
      label="Message"
      placeholder="Ask"
      draft={draft}
      onChange={(next) => {
        setDraft(next);
        onDraft(next);
      }}
      onSend={onSend}
      onTyped={() => undefined}
      mentionable={ALL}
    />
  );
}

function write() {
  const onSend = vi.fn();
  const drafts: Draft[] = [];
  render(<Written onSend={onSend} onDraft={(draft) => drafts.push(draft)} />);
  return { field: screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }), onSend, last: () => drafts.at(-1) };
}

describe("mentions", () => {
  it("begin with an @ at the start of a word", () => {
    expect(mentionAt("use @inv", 8)).toEqual({ from: 4, typed: "inv" });
    expect(mentionAt("root@example", 12)).toBeNull();
    expect(mentionAt("@a\nb", 4)).toBeNull();
  });

  it("offer what begins with the letters first", () => {
    expect(suggestions(ALL, "urg")).toEqual([URGENT]);
    expect(suggestions([{ ...URGENT, label: "not urgent" }, URGENT], "urg")[0]).toEqual(URGENT);
    expect(suggestions(ALL, "")).toHaveLength(3);
  });

  it("are found in the text, the longest name first, and each is sent once", () => {
    const text = "@Invoice v3 and @Invoice v3 prompt v1 and @Invoice v3 again";
    expect(tokensIn(text, ALL).map((token) => token.item.id)).toEqual(["s3", "p1", "s3"]);
    expect(mentionsIn(text, ALL)).toEqual([{ type: "schema", id: "s3" }, { type: "prompt", id: "p1" }]);
    expect(mentionsIn("nothing", ALL)).toEqual([]);
  });
});

describe("MentionInput", () => {
  it("completes with the keyboard, shows the version, and sends with Enter", async () => {
    const { field, onSend, last } = write();
    await userEvent.type(field, "Run @inv");
    expect(screen.getByRole("option", { name: /Invoice v3 schema/ })).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onSend).not.toHaveBeenCalled();
    expect(field).toHaveValue("Run @Invoice v3 ");
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.keyboard("now{Enter}");
    expect(onSend).toHaveBeenCalledOnce();
    const draft = last();
    expect(draft && mentionsIn(draft.text, draft.chosen)).toEqual([{ type: "schema", id: "s3" }]);
  });

  it("moves with the arrows, closes with Escape, and takes a click", async () => {
    const { field } = write();
    await userEvent.type(field, "@");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(screen.getByRole("option", { selected: true })).toHaveTextContent("urgent");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.clear(field);
    await userEvent.type(field, "@urg");
    await userEvent.click(screen.getByRole("option", { name: /urgent/ }));
    expect(field).toHaveValue("@urgent ");
    expect(field).toHaveFocus();
  });

  it("takes a whole mention away with one Backspace", async () => {
    const { field } = write();
    await userEvent.type(field, "x @urg{Enter}{Backspace}{Backspace}");
    expect(field).toHaveValue("x ");
  });

  it("makes a line with Shift and Enter", async () => {
    const { field, onSend } = write();
    await userEvent.type(field, "a{Shift>}{Enter}{/Shift}b");
    expect(field).toHaveValue("a\nb");
    expect(onSend).not.toHaveBeenCalled();
  });
});
