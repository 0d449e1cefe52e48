import { GripVertical, Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { cx } from "@/lib/cx";
import { placeOf } from "@/lib/schema/compare";
import { changed, named } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { nameProblem, setChoices, setDescription, setRequired, setType } from "@/lib/schema/edits";
import type { FieldRow } from "@/lib/schema/fields";
import { BASES, listOf, typeName } from "@/lib/schema/types";
import type { FieldType } from "@/lib/schema/types";

import { IconButton } from "../Button";
import { Input, Select } from "../Field";
import { arrows, nameKeys } from "../rowKeys";
import { useRowDrag } from "../useRowDrag";

import { Choices } from "./Choices";
import { ProblemList } from "./ProblemList";
import { COLUMNS } from "./columns";
import { isShownAtRow } from "./problems";

import type { Told } from "./problems";

interface FieldRowViewProps {
  row: FieldRow;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  problems: Told[];
  /** Why nothing can be changed now. */
  blocked: string | false;
  onAddAfter: () => void;
  onAddInside: () => void;
  onMove: (to: number, part: "name" | "handle") => void;
  onRemove: () => void;
  onStep: (by: number) => void;
}

const INDENT_PX = 20;

export function FieldRowView(props: FieldRowViewProps) {
  const { row, draft, onDraft, blocked, onMove } = props;
  const place = placeOf(row);
  const typedName = draft.names[row.id] ?? row.name;
  const wrongName = nameProblem(draft.format, row.parent, typedName, row.name);
  const { drag, drop, mark } = useRowDrag(row, (to) => onMove(to, "handle"), Boolean(blocked));
  const readOnly = Boolean(blocked);
  const [errorId] = useState(() => `name-${Math.random().toString(36).slice(2)}`);
  return (
    <li
      {...drop}
      data-row={row.id}
      style={{ paddingLeft: row.depth * INDENT_PX }}
      className={cx("group/row relative border-t py-1 first:border-t-0", mark === "before" && "shadow-[0_-2px_0_var(--accent)]", mark === "after" && "shadow-[0_2px_0_var(--accent)]")}
    >
      {row.depth > 0 && <span aria-hidden className="absolute inset-y-0 border-l-2" style={{ left: row.depth * INDENT_PX - 8 }} />}
      <div className="flex items-start gap-1">
        <button
          type="button"
          {...drag}
          data-part="handle"
          aria-label={`Move ${place}`}
          title="Drag, or use the arrow keys"
          className="mt-1 flex h-6 w-6 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted hover:bg-hover"
          onKeyDown={(event) => arrows(event, (by) => onMove(row.index + by, "handle"))}
        >
          <GripVertical size={14} aria-hidden />
        </button>
        <div className="grid min-w-0 flex-1 grid-cols-2 gap-x-2 gap-y-1 @xl:grid-cols-(--row)" style={COLUMNS}>
          <Input
            data-part="name"
            aria-label={`Name of ${place}`}
            aria-invalid={wrongName ? true : undefined}
            aria-describedby={wrongName ? errorId : undefined}
            className="font-mono !text-sm"
            spellCheck={false}
            autoComplete="off"
            readOnly={readOnly}
            value={typedName}
            onChange={(event) => onDraft(named(draft, row, event.target.value))}
            onKeyDown={(event) => nameKeys(event, { add: () => !blocked && props.onAddAfter(), move: (by) => !blocked && onMove(row.index + by, "name"), step: props.onStep })}
          />
          <TypeSelect row={row} label={`Type of ${place}`} disabled={readOnly} onType={(type) => onDraft(changed(draft, setType(draft.format, row.path, type)))} />
          <div className="col-span-2 flex items-center gap-2 @xl:contents">
            <label
              title="Required: the value must be there. Otherwise it may be empty."
              className="inline-flex min-h-8 cursor-pointer items-center gap-1 text-sm @xl:justify-center"
            >
              <input
                type="checkbox"
                aria-label={`${place} is required`}
                className="m-1 size-4 shrink-0 cursor-pointer accent-(--accent)"
                disabled={readOnly}
                checked={row.required}
                onChange={(event) => onDraft(changed(draft, setRequired(draft.format, row.parent, row.name, event.target.checked)))}
              />
              <span className="@xl:sr-only">Required</span>
            </label>
            <Input
              aria-label={`Description of ${place}`}
              placeholder="What to look for"
              readOnly={readOnly}
              value={row.description}
              onChange={(event) => onDraft(changed(draft, setDescription(draft.format, row.path, event.target.value)))}
            />
          </div>
        </div>
        <div className="flex w-14 shrink-0 justify-end">
          {row.isGroup && <IconButton small icon={Plus} label={`Add a field to ${place}`} disabledBecause={blocked} onClick={props.onAddInside} />}
          <IconButton small icon={Trash2} label={`Remove ${place}`} disabledBecause={blocked} onClick={props.onRemove} />
        </div>
      </div>
      <div className="flex flex-col gap-1 pl-7 empty:hidden">
        {wrongName && (
          <p id={errorId} role="alert" className="text-sm text-bad">
            {wrongName}
          </p>
        )}
        {row.choices && (
          <Choices
            field={place}
            choices={row.choices}
            readOnly={readOnly}
            onChange={(choices) => onDraft(changed(draft, setChoices(draft.format, row.path, choices)))}
          />
        )}
        {row.extras.length > 0 && (
          <p className="text-xs text-muted">
            Only in the JSON: <span className="font-mono">{row.extras.join(", ")}</span>
          </p>
        )}
        <ProblemList problems={props.problems.filter(isShownAtRow)} />
      </div>
    </li>
  );
}

function TypeSelect({ row, label, disabled, onType }: { row: FieldRow; label: string; disabled: boolean; onType: (type: Exclude<FieldType, "other">) => void }) {
  return (
    <Select aria-label={label} value={row.type} disabled={disabled} onChange={(event) => onType(event.target.value as Exclude<FieldType, "other">)}>
      {row.type === "other" && <option value="other">{typeName("other")}</option>}
      {BASES.map((base) => (
        <option key={base} value={base}>
          {typeName(base)}
        </option>
      ))}
      <optgroup label="Lists">
        {BASES.map((base) => (
          <option key={base} value={listOf(base)}>
            {typeName(listOf(base))}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}
