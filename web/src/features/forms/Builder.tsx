import { Plus, Undo2 } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { RowHeadings } from "@/components/EditableRow";
import { useFocusWish } from "@/components/useFocusWish";
import type { Part } from "@/components/useFocusWish";
import { useRowDrag } from "@/components/useRowDrag";
import { cx } from "@/lib/cx";
import { pathOf } from "@/lib/fieldPath";
import { t } from "@/lib/i18n";
import { useListedShortcuts } from "@/lib/shortcuts";

import { BuilderRow } from "./BuilderRow";
import { SchemaFields } from "./SchemaFields";
import { blank, inserted, moved, removed, rowsOf } from "./build";

import type { Path, Row } from "./build";
import type { Offered } from "./fromSchema";
import type { FormFormat } from "./useForms";

interface BuilderProps {
  format: FormFormat;
  onFormat: (format: FormFormat) => void;
  /** Why nothing can be changed now. */
  blocked: string | false;
  /** Takes the last change back; null if there is none. */
  onUndo: (() => void) | null;
}

const group = (): string => t("forms.fieldsOfAForm");
const END = Number.MAX_SAFE_INTEGER;

/** The fields of a form as rows, empty or from the fields of a schema, by drag or by keyboard. */
export function Builder({ format, onFormat, blocked, onUndo }: BuilderProps) {
  const rows = rowsOf(format);
  const [said, setSaid] = useState("");
  const focus = useFocusWish();
  useListedShortcuts([
    { keys: "Enter", does: t("forms.addAFieldBelowTheOne"), group: group() },
    { keys: "ArrowDown", does: t("forms.goToTheNextLabelArrowUp"), group: group() },
    { keys: "Alt+ArrowDown", does: t("forms.moveTheFieldDownAltArrowUp"), group: group() },
  ]);
  const add = (parent: Path, at: number): void => {
    const index = Math.min(at, rows.filter((row) => row.parentId === pathOf(parent)).length);
    onFormat(inserted(format, parent, index, { ...blank("textfield"), label: t("forms.newField") }));
    focus.wish(pathOf([...parent, index]), "name", true);
  };
  const addOffered = (offered: readonly Offered[], at = END): void => {
    onFormat(offered.reduce((next, { component, mapping }, step) => inserted(next, [], at === END ? END : at + step, component, mapping), format));
    setSaid(offered.length === 1 ? t("forms.labelIsAdded", { label: offered[0]?.component.label ?? "" }) : t("forms.countFieldsAreAdded", { count: offered.length }));
  };
  const move = (row: Row, to: number, part: Part): void => {
    const place = Math.max(0, Math.min(row.siblings - 1, to));
    if (place === row.index) return;
    onFormat(moved(format, row, place));
    focus.wish(pathOf([...row.path.slice(0, -1), place]), part);
    setSaid(t("forms.nameIsNumberPlaceOfSiblings", { name: row.name, place: place + 1, siblings: row.siblings }));
  };
  const remove = (row: Row): void => {
    const at = rows.indexOf(row);
    const hasNext = row.index < row.siblings - 1;
    onFormat(removed(format, row));
    const near = hasNext ? row.id : rows[at - 1]?.id;
    if (near !== undefined) focus.wish(near, "name");
    setSaid(t("forms.nameIsRemoved", { name: row.name }));
  };
  const step = (row: Row, by: number): void => {
    const near = rows[rows.indexOf(row) + by];
    if (near) focus.now(near.id, "name");
  };
  return (
    <section aria-label={t("forms.fieldsOfTheForm")} ref={focus.frame} className="@container flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-3 sm:p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-base">{t("common.fields")}</h2>
        <IconButton small icon={Undo2} label={t("common.undo")} disabledBecause={!onUndo && t("forms.thereIsNothingToUndo")} onClick={() => onUndo?.()} />
      </div>
      {blocked && <p className="rounded-md bg-sunken px-3 py-2 text-sm">{blocked}</p>}
      {rows.length > 0 && <RowHeadings of={[t("forms.label"), t("common.kind"), t("forms.needed"), t("common.key")]} />}
      <ul aria-label={t("common.fields")} className="flex flex-col">
        {rows.map((row) => (
          <BuilderRow
            key={row.id}
            row={row}
            format={format}
            onFormat={onFormat}
            blocked={blocked}
            onAddAfter={() => add(row.path.slice(0, -1), row.index + 1)}
            onAddInside={() => add(row.path, END)}
            onMove={(to, part) => move(row, to, part)}
            onRemove={() => remove(row)}
            onStep={(by) => step(row, by)}
          />
        ))}
        {!rows.length && <EmptyRow off={Boolean(blocked)} />}
      </ul>
      <div>
        <Button icon={Plus} disabledBecause={blocked} onClick={() => add([], END)}>
          {t("common.addField")}
        </Button>
      </div>
      <SchemaFields format={format} blocked={blocked} onAdd={addOffered} />
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}

/** Where the first field is dropped. */
function EmptyRow({ off }: { off: boolean }) {
  const { drop, mark } = useRowDrag({ id: "empty", parentId: "", name: "", index: 0 }, () => undefined, off);
  return (
    <li {...drop} className={cx("rounded-md border border-dashed px-3 py-4 text-muted", mark && "border-accent")}>
      {t("forms.thereAreNoFieldsYetAdd")}
    </li>
  );
}
