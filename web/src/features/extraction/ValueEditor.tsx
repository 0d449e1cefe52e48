import { CalendarDays } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Input, Select, Textarea } from "@/components/Field";
import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";
import { usePointing } from "@/lib/pointing";
import type { PointedPlace, Taken } from "@/lib/pointing";
import { readDate, writtenDate, writtenYesNo } from "@/lib/written";

import { useFieldActions } from "./context";
import { optionText, parsedValue } from "./value";
import { typedValue, writtenTaken } from "./writing";

import type { Leaf } from "./tree";
import type { KeyboardEvent } from "react";

interface ValueEditorProps {
  leaf: Leaf;
  onSave: (value: unknown, places?: PointedPlace[]) => Promise<unknown>;
  onClose: () => void;
}

/**
 * A value being edited in its place. Enter saves, Escape leaves; what the server refuses stays as it was typed. Words
 * that are pointed at on the page beside it are taken, and saved with their place as long as nobody types over them.
 */
export function ValueEditor({ leaf, onSave, onClose }: ValueEditorProps) {
  const { writing, documentId, promptRevid } = useFieldActions();
  const [typed, setTyped] = useState(() => typedValue(leaf, writing));
  const [pointed, setPointed] = useState<{ typed: string; taken: Taken } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const control = useRef<HTMLElement>(null);
  const id = `edit-${leaf.path}`;
  useEffect(() => {
    const element = control.current;
    element?.focus();
    if (element instanceof HTMLInputElement && element.type === "text") element.select();
  }, []);

  const canPoint = usePointing({ documentId, promptRevid, path: leaf.path, label: leaf.label }, (taken) => {
    const text = writtenTaken(leaf, taken, writing);
    if (text !== null) setTyped(text);
    setPointed({ typed: text ?? typed, taken });
    setError(null);
    control.current?.focus();
  });
  const isPointed = pointed?.typed === typed;
  const remark = pointed?.taken.remark && isPointed ? pointed.taken.remark : null;

  const save = async (): Promise<void> => {
    if (isSaving) return;
    const isTaken = isPointed && remark === null;
    const parsed = isTaken ? { value: pointed.taken.value } : parsedValue(leaf, typed, writing.style);
    if ("error" in parsed) return setError(parsed.error);
    if (parsed.value === leaf.value && !isTaken) return onClose();
    setIsSaving(true);
    setError(null);
    try {
      await onSave(parsed.value, isTaken ? pointed.taken.places : undefined);
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setIsSaving(false);
    }
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  };
  const shared = {
    id,
    value: typed,
    "aria-label": leaf.label,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-error` : undefined,
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value);
      setError(null);
    },
    onKeyDown: press,
  };
  const attach = (element: HTMLElement | null): void => {
    control.current = element;
  };
  return (
    <div className="flex min-w-40 flex-1 flex-col gap-1">
      {leaf.input === "choice" || leaf.input === "boolean" ? (
        <Select {...shared} ref={attach}>
          <option value="">{t("common.empty")}</option>
          {leaf.input === "boolean" ? (
            <>
              <option value="true">{writtenYesNo(true)}</option>
              <option value="false">{writtenYesNo(false)}</option>
            </>
          ) : (
            leaf.options.map((option) => <option key={optionText(option)}>{optionText(option)}</option>)
          )}
        </Select>
      ) : leaf.input === "long" ? (
        <Textarea {...shared} ref={attach} rows={4} />
      ) : (
        <div className="flex min-w-0 items-center gap-1">
          <Input {...shared} ref={attach} type="text" inputMode={leaf.input === "number" ? "decimal" : leaf.input === "integer" ? "numeric" : undefined} />
          {leaf.input === "date" && <DateChooser label={leaf.label} typed={typed} onChoose={setTyped} />}
        </div>
      )}
      {remark && !error && (
        <p role="status" className="text-sm text-bad">
          {remark}
        </p>
      )}
      {canPoint && !pointed && <p className="text-sm text-muted">{t("extraction.orPointAtItOnThe")}</p>}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      <div className="flex gap-1">
        <Button small variant="primary" busy={isSaving && t("common.saving")} onClick={() => void save()}>
          {t("common.save")}
        </Button>
        <Button small variant="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** The browser's own calendar, for who would rather point than type. */
function DateChooser({ label, typed, onChoose }: { label: string; typed: string; onChoose: (text: string) => void }) {
  const { writing } = useFieldActions();
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="relative">
      <IconButton small icon={CalendarDays} label={t("extraction.chooseLabelInACalendar", { label })} onClick={() => input.current?.showPicker()} />
      <input
        ref={input}
        type="date"
        tabIndex={-1}
        aria-hidden
        className="pointer-events-none absolute bottom-0 left-0 size-px opacity-0"
        value={readDate(typed, writing.style) ?? ""}
        onChange={(event) => event.target.value && onChoose(writtenDate(event.target.value, writing.style))}
      />
    </span>
  );
}
