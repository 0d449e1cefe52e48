import { Plus, Redo2, Undo2 } from "lucide-react";
import { useState } from "react";

import { added, moved, redone, removed, undone } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { insideOf } from "@/lib/schema/edits";
import { rowsOf, SCHEMA_PATH } from "@/lib/schema/fields";
import type { FieldRow } from "@/lib/schema/fields";
import type { Problem } from "@/lib/schema/problem";
import { useListedShortcuts } from "@/lib/shortcuts";

import { Button, IconButton } from "../Button";
import { RowHeadings } from "../EditableRow";
import { useFocusWish } from "../useFocusWish";

import { FieldRowView } from "./FieldRowView";
import { ProblemList } from "./ProblemList";
import { allProblems, byRow } from "./problems";

import type { Part } from "../useFocusWish";

interface FieldsPaneProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  check: { errors: Problem[]; warnings: Problem[] } | undefined;
}

const GROUP = "Fields of a schema";
const NOT_NOW = "Fix the JSON first. The fields show its last valid state.";

/** The fields as rows. While the JSON is broken they can be looked at, not changed. */
export function FieldsPane({ draft, onDraft, check }: FieldsPaneProps) {
  const rows = rowsOf(draft.format, draft.aliases);
  const problems = byRow(rows, allProblems(check));
  const isBroken = draft.problem !== null;
  const [said, setSaid] = useState("");
  const focus = useFocusWish();
  useListedShortcuts([
    { keys: "Enter", does: "Add a field below the one whose name has the focus", group: GROUP },
    { keys: "ArrowDown", does: "Go to the next name (ArrowUp: the one before)", group: GROUP },
    { keys: "Alt+ArrowDown", does: "Move the field down (Alt+ArrowUp: up)", group: GROUP },
  ]);

  const add = (parent: readonly string[], parentId: string, after?: string): void => {
    const [next, id] = added(draft, parent, parentId, after);
    onDraft(next);
    focus.wish(id, "name", true);
  };
  const move = (row: FieldRow, to: number, part: Part): void => {
    const place = Math.max(0, Math.min(row.siblings - 1, to));
    if (place === row.index) return;
    onDraft(moved(draft, row, place));
    focus.wish(row.id, part);
    setSaid(`${row.name} is number ${place + 1} of ${row.siblings} now.`);
  };
  const remove = (row: FieldRow): void => {
    onDraft(removed(draft, row));
    const at = rows.indexOf(row);
    const near = rows.find((other, index) => index > at && !other.id.startsWith(`${row.id}/`)) ?? rows[at - 1];
    if (near) focus.wish(near.id, "name");
    setSaid(`${row.name} is removed.`);
  };
  const step = (row: FieldRow, by: number): void => {
    const near = rows[rows.indexOf(row) + by];
    if (near) focus.now(near.id, "name");
  };

  return (
    <section aria-label="Fields" ref={focus.frame} className="@container flex flex-col gap-2 p-3 sm:p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-base">Fields</h2>
        <div className="flex">
          <IconButton small icon={Undo2} label="Undo" disabledBecause={!draft.past.length && "There is nothing to undo."} onClick={() => onDraft(undone(draft))} />
          <IconButton small icon={Redo2} label="Redo" disabledBecause={!draft.future.length && "There is nothing to redo."} onClick={() => onDraft(redone(draft))} />
        </div>
      </div>
      {isBroken && <p className="rounded-md bg-sunken px-3 py-2 text-sm">{NOT_NOW}</p>}
      <ProblemList problems={problems.get("") ?? []} showPath />
      {rows.length > 0 && <RowHeadings of={["Name", "Type", "Required", "Description"]} />}
      <ul aria-label="Fields" className="flex flex-col">
        {rows.map((row) => (
          <FieldRowView
            key={row.id}
            row={row}
            draft={draft}
            onDraft={onDraft}
            problems={problems.get(row.id) ?? []}
            blocked={isBroken && NOT_NOW}
            onAddAfter={() => add(row.parent, row.parentId, row.name)}
            onAddInside={() => add(insideOf(draft.format, row.path), row.id)}
            onMove={(to, part) => move(row, to, part)}
            onRemove={() => remove(row)}
            onStep={(by) => step(row, by)}
          />
        ))}
      </ul>
      {!rows.length && !isBroken && <p className="py-4 text-muted">There are no fields yet. Add the first one, or write the JSON.</p>}
      <div>
        <Button icon={Plus} disabledBecause={isBroken && NOT_NOW} onClick={() => add(SCHEMA_PATH, "")}>
          Add field
        </Button>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}
