import { GripVertical, Plus, Trash2, Unlink } from "lucide-react";
import { useId } from "react";

import { IconButton } from "@/components/Button";
import { Input, Select } from "@/components/Field";
import { arrows, nameKeys } from "@/components/rowKeys";
import { Choices } from "@/components/schema/Choices";
import type { Part } from "@/components/useFocusWish";
import { useRowDrag } from "@/components/useRowDrag";
import { cx } from "@/lib/cx";

import { choosesOf, keyProblem, KINDS, labelled, mappingIn, optionsIn, rekeyed, retyped, setOptions, setRequired, unfilled } from "./build";

import type { Row } from "./build";
import type { FormFormat } from "./useForms";

interface BuilderRowProps {
  row: Row;
  format: FormFormat;
  onFormat: (format: FormFormat) => void;
  blocked: string | false;
  onAddAfter: () => void;
  onAddInside: () => void;
  onMove: (to: number, part: Part) => void;
  onRemove: () => void;
  onStep: (by: number) => void;
}

const INDENT_PX = 20;

/** One field of a form: label, kind, whether it is needed, and the key under which its value is stored. */
export function BuilderRow({ row, format, onFormat, blocked, onAddAfter, onAddInside, onMove, onRemove, onStep }: BuilderRowProps) {
  const { component, name } = row;
  const { drag, drop, mark } = useRowDrag(row, (to) => onMove(to, "handle"), Boolean(blocked));
  const readOnly = Boolean(blocked);
  const wrongKey = keyProblem(format, row);
  const errorId = useId();
  const source = mappingIn(format)[component.key ?? ""]?.sources?.[0];
  return (
    <li
      {...drop}
      data-row={row.id}
      style={{ paddingLeft: row.depth * INDENT_PX }}
      className={cx("relative border-t py-1 first:border-t-0", mark === "before" && "shadow-[0_-2px_0_var(--accent)]", mark === "after" && "shadow-[0_2px_0_var(--accent)]")}
    >
      <div className="flex items-start gap-1">
        <button
          type="button"
          {...drag}
          data-part="handle"
          aria-label={`Move ${name}`}
          title="Drag, or use the arrow keys"
          className="mt-1 flex h-6 w-6 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted hover:bg-hover"
          onKeyDown={(event) => arrows(event, (by) => !blocked && onMove(row.index + by, "handle"))}
        >
          <GripVertical size={14} aria-hidden />
        </button>
        <div className="grid min-w-0 flex-1 grid-cols-2 items-center gap-x-2 gap-y-1 @xl:grid-cols-[minmax(6rem,1fr)_10rem_5rem_minmax(5rem,10rem)]">
          <Input
            data-part="name"
            aria-label={`Label of ${name}`}
            readOnly={readOnly}
            autoComplete="off"
            value={component.label ?? component.legend ?? ""}
            onChange={(event) => onFormat(labelled(format, row, event.target.value))}
            onKeyDown={(event) => nameKeys(event, { add: () => !blocked && onAddAfter(), move: (by) => !blocked && onMove(row.index + by, "name"), step: onStep })}
          />
          <Select aria-label={`Kind of ${name}`} disabled={readOnly} value={component.type} onChange={(event) => onFormat(retyped(format, row, event.target.value))}>
            {!(component.type in KINDS) && <option value={component.type}>{component.type}</option>}
            {Object.entries(KINDS).map(([type, kind]) => (
              <option key={type} value={type}>
                {kind}
              </option>
            ))}
          </Select>
          <label className="inline-flex min-h-8 cursor-pointer items-center gap-1 text-sm">
            <input
              type="checkbox"
              aria-label={`${name} is needed`}
              className="m-1 size-4 shrink-0 cursor-pointer accent-(--accent)"
              disabled={readOnly}
              checked={component.validate?.required === true}
              onChange={(event) => onFormat(setRequired(format, row, event.target.checked))}
            />
            Needed
          </label>
          <Input
            aria-label={`Key of ${name}`}
            aria-invalid={wrongKey ? true : undefined}
            aria-describedby={wrongKey ? errorId : undefined}
            className="font-mono !text-sm"
            spellCheck={false}
            autoComplete="off"
            readOnly={readOnly}
            value={component.key ?? ""}
            onChange={(event) => onFormat(rekeyed(format, row, event.target.value))}
          />
        </div>
        <div className="flex w-14 shrink-0 justify-end">
          {row.isGroup && <IconButton small icon={Plus} label={`Add a field to ${name}`} disabledBecause={blocked} onClick={onAddInside} />}
          <IconButton small icon={Trash2} label={`Remove ${name}`} disabledBecause={blocked} onClick={onRemove} />
        </div>
      </div>
      <div className="flex flex-col gap-1 pl-7 empty:hidden">
        {wrongKey && (
          <p id={errorId} role="alert" className="text-sm text-bad">
            {wrongKey}
          </p>
        )}
        {choosesOf(component) && (
          <Choices field={name} choices={optionsIn(component).map((option) => option.label)} readOnly={readOnly} onChange={(labels) => onFormat(setOptions(format, row, labels))} />
        )}
        {source && (
          <p className="flex min-w-0 items-center gap-1 text-xs text-muted">
            <span className="min-w-0 truncate">
              Filled from {source.promptName ?? "the extraction"}: <span className="font-mono">{source.schemaFieldPath}</span>
            </span>
            <IconButton small icon={Unlink} label={`Do not fill ${name}`} disabledBecause={blocked} onClick={() => onFormat(unfilled(format, row))} />
          </p>
        )}
        {row.hasMore && !row.isGroup && <p className="text-xs text-muted">What is inside is only in the JSON.</p>}
      </div>
    </li>
  );
}
