import { Plus, Redo2, Undo2 } from "lucide-react";
import { useState } from "react";

import { t } from "@/lib/i18n";
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

const group = (): string => t("schemaFields.fieldsOfASchema");
const notNow = (): string => t("schemaFields.fixTheJsonFirstTheFields");

/** The fields as rows. While the JSON is broken they can be looked at, not changed. */
export function FieldsPane({ draft, onDraft, check }: FieldsPaneProps) {
  const rows = rowsOf(draft.format, draft.aliases);
  const problems = byRow(rows, allProblems(check));
  const isBroken = draft.problem !== null;
  const [said, setSaid] = useState("");
  const focus = useFocusWish();
  useListedShortcuts([
    { keys: "Enter", does: t("schemaFields.addAFieldBelowTheOne"), group: group() },
    { keys: "ArrowDown", does: t("schemaFields.goToTheNextNameArrowUp"), group: group() },
    { keys: "Alt+ArrowDown", does: t("schemaFields.moveTheFieldDownAltArrowUp"), group: group() },
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
    setSaid(t("schemaFields.nameIsNumberPlaceOfSiblings", { name: row.name, place: place + 1, siblings: row.siblings }));
  };
  const remove = (row: FieldRow): void => {
    onDraft(removed(draft, row));
    const at = rows.indexOf(row);
    const near = rows.find((other, index) => index > at && !other.id.startsWith(`${row.id}/`)) ?? rows[at - 1];
    if (near) focus.wish(near.id, "name");
    setSaid(t("schemaFields.nameIsRemoved", { name: row.name }));
  };
  const step = (row: FieldRow, by: number): void => {
    const near = rows[rows.indexOf(row) + by];
    if (near) focus.now(near.id, "name");
  };

  return (
    <section aria-label={t("common.fields")} ref={focus.frame} className="@container flex flex-col gap-2 p-3 sm:p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-base">{t("common.fields")}</h2>
        <div className="flex">
          <IconButton small icon={Undo2} label={t("common.undo")} disabledBecause={!draft.past.length && t("schemaFields.thereIsNothingToUndo")} onClick={() => onDraft(undone(draft))} />
          <IconButton small icon={Redo2} label={t("schemaFields.redo")} disabledBecause={!draft.future.length && t("schemaFields.thereIsNothingToRedo")} onClick={() => onDraft(redone(draft))} />
        </div>
      </div>
      {isBroken && <p className="rounded-md bg-sunken px-3 py-2 text-sm">{notNow()}</p>}
      <ProblemList problems={problems.get("") ?? []} showPath />
      {rows.length > 0 && <RowHeadings of={[t("common.name"), t("schemaFields.type"), t("schemaFields.required"), t("common.description")]} />}
      <ul aria-label={t("common.fields")} className="flex flex-col">
        {rows.map((row) => (
          <FieldRowView
            key={row.id}
            row={row}
            draft={draft}
            onDraft={onDraft}
            problems={problems.get(row.id) ?? []}
            blocked={isBroken && notNow()}
            onAddAfter={() => add(row.parent, row.parentId, row.name)}
            onAddInside={() => add(insideOf(draft.format, row.path), row.id)}
            onMove={(to, part) => move(row, to, part)}
            onRemove={() => remove(row)}
            onStep={(by) => step(row, by)}
          />
        ))}
      </ul>
      {!rows.length && !isBroken && <p className="py-4 text-muted">{t("schemaFields.thereAreNoFieldsYetAdd")}</p>}
      <div>
        <Button icon={Plus} disabledBecause={isBroken && notNow()} onClick={() => add(SCHEMA_PATH, "")}>
          {t("common.addField")}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}
