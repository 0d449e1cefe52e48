import { GripVertical, Plus, Trash2 } from "lucide-react";
import { useId } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { IconButton } from "./Button";
import { Input } from "./Field";
import { arrows, nameKeys } from "./rowKeys";
import { useRowDrag } from "./useRowDrag";

import type { Part } from "./useFocusWish";
import type { DraggableRow } from "./useRowDrag";
import type { CSSProperties, ReactNode } from "react";

/** What one types in a row, and what is wrong with it. */
export interface RowText {
  label: string;
  value: string;
  onChange: (typed: string) => void;
  wrong?: string | null;
  /** A name for programs. */
  isCode?: boolean;
  placeholder?: string;
}

interface RowSwitch {
  /** The heading of its column. */
  word: string;
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export interface RowActions {
  onAddAfter: () => void;
  onAddInside: () => void;
  onMove: (to: number, part: Part) => void;
  onRemove: () => void;
  /** Go to the name of the row that is so many rows below. */
  onStep: (by: number) => void;
}

interface EditableRowProps extends RowActions {
  row: DraggableRow & { depth: number; isGroup: boolean };
  /** What the row is called in labels. */
  called: string;
  /** Why nothing can be changed now. */
  blocked: string | false;
  name: RowText;
  /** The control that chooses the kind of the field. */
  kind: ReactNode;
  required: RowSwitch;
  last: RowText;
  /** What stands below the row. */
  children?: ReactNode;
}

const INDENT_PX = 20;
/** Name, kind, switch and the rest, if the pane has room for one line. Nested rows only lose room for the name. */
const COLUMNS = { "--row": "minmax(5rem, 1fr) 9.5rem 3.75rem 30cqw" } as CSSProperties;

/** What the columns of the rows are, where there is room for one line. */
export function RowHeadings({ of }: { of: readonly string[] }) {
  return (
    <div aria-hidden className="hidden gap-2 pr-16 pl-7 text-xs text-muted @xl:grid @xl:grid-cols-(--row)" style={COLUMNS}>
      {of.map((heading) => (
        <span key={heading}>{heading}</span>
      ))}
    </div>
  );
}

/** One field of a schema or a form: typed, moved by drag or keys, removed. Stands in a list inside a `@container`. */
export function EditableRow({ row, called, blocked, name, kind, required, last, children, onAddAfter, onAddInside, onMove, onRemove, onStep }: EditableRowProps) {
  const isReadOnly = Boolean(blocked);
  const { drag, drop, mark } = useRowDrag(row, (to) => onMove(to, "handle"), isReadOnly);
  const errorId = useId();
  const wrong = name.wrong ?? last.wrong;
  const move = (by: number, part: Part): void => {
    if (!blocked) onMove(row.index + by, part);
  };
  return (
    <li
      {...drop}
      data-row={row.id}
      style={{ paddingLeft: row.depth * INDENT_PX }}
      className={cx("relative border-t py-1 first:border-t-0", mark === "before" && "shadow-[0_-2px_0_var(--accent)]", mark === "after" && "shadow-[0_2px_0_var(--accent)]")}
    >
      {row.depth > 0 && <span aria-hidden className="absolute inset-y-0 border-l-2" style={{ left: row.depth * INDENT_PX - 8 }} />}
      <div className="flex items-start gap-1">
        <button
          type="button"
          {...drag}
          data-part="handle"
          aria-label={t("components.moveCalled", { called })}
          title={t("components.dragOrUseTheArrowKeys")}
          className="mt-1 flex h-6 w-6 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted hover:bg-hover"
          onKeyDown={(event) => arrows(event, (by) => move(by, "handle"))}
        >
          <GripVertical size={14} aria-hidden />
        </button>
        <div className="grid min-w-0 flex-1 grid-cols-2 gap-x-2 gap-y-1 @xl:grid-cols-(--row)" style={COLUMNS}>
          <Input
            data-part="name"
            {...typedIn(name, isReadOnly, errorId)}
            onKeyDown={(event) => nameKeys(event, { add: () => !blocked && onAddAfter(), move: (by) => move(by, "name"), step: onStep })}
          />
          {kind}
          <div className="col-span-2 flex items-center gap-2 @xl:contents">
            <label title={required.hint} className="inline-flex min-h-8 cursor-pointer items-center gap-1 text-sm @xl:justify-center">
              <input
                type="checkbox"
                aria-label={required.label}
                className="m-1 size-4 shrink-0 cursor-pointer accent-(--accent)"
                disabled={isReadOnly}
                checked={required.checked}
                onChange={(event) => required.onChange(event.target.checked)}
              />
              <span className="@xl:sr-only">{required.word}</span>
            </label>
            <Input {...typedIn(last, isReadOnly, errorId)} />
          </div>
        </div>
        <div className="flex w-14 shrink-0 justify-end">
          {row.isGroup && <IconButton small icon={Plus} label={t("components.addAFieldToCalled", { called })} disabledBecause={blocked} onClick={onAddInside} />}
          <IconButton small icon={Trash2} label={t("components.removeCalled", { called })} disabledBecause={blocked} onClick={onRemove} />
        </div>
      </div>
      <div className="flex flex-col gap-1 pl-7 empty:hidden">
        {wrong && (
          <p id={errorId} role="alert" className="text-sm text-bad">
            {wrong}
          </p>
        )}
        {children}
      </div>
    </li>
  );
}

function typedIn({ label, value, onChange, wrong, isCode, placeholder }: RowText, readOnly: boolean, errorId: string) {
  return {
    "aria-label": label,
    "aria-invalid": wrong ? (true as const) : undefined,
    "aria-describedby": wrong ? errorId : undefined,
    className: isCode ? "font-mono !text-sm" : undefined,
    spellCheck: isCode ? false : undefined,
    autoComplete: "off",
    placeholder,
    readOnly,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
}
