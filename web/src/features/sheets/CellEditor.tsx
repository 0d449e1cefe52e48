import { useEffect, useRef, useState } from "react";

import { Input, Select } from "@/components/Field";
import { messageOf } from "@/lib/api/errors";
import type { CellPlace, SheetColumn } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";
import { usePointing } from "@/lib/pointing";
import type { PointedPlace, Taken } from "@/lib/pointing";

import { typedCell, typedText } from "./cells";

import type { KeyboardEvent } from "react";

interface CellEditorProps {
  value: unknown;
  column: SheetColumn;
  place: CellPlace;
  onSave: (value: unknown, places?: PointedPlace[]) => Promise<unknown>;
  onClose: () => void;
}

/**
 * A value being edited in its cell. Enter saves, Escape leaves; what cannot be saved stays as it was typed. Words that
 * are pointed at on the page are taken with their place.
 */
export function CellEditor({ value, column, place, onSave, onClose }: CellEditorProps) {
  const [pointed, setPointed] = useState<{ typed: string; taken: Taken } | null>(null);
  const [typed, setTyped] = useState(() => typedText(value));
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const control = useRef<HTMLElement>(null);
  useEffect(() => {
    control.current?.focus();
    if (control.current instanceof HTMLInputElement) control.current.select();
  }, []);
  usePointing({ ...place, label: column.title }, (taken) => {
    const text = taken.remark !== null && column.kind === "boolean" ? typed : typedText(taken.value);
    setTyped(text);
    setPointed({ typed: text, taken });
    setError(taken.remark);
    control.current?.focus();
  });
  const save = async (): Promise<void> => {
    if (isSaving) return;
    const taken = pointed?.typed === typed && pointed.taken.remark === null ? pointed.taken : null;
    const parsed = taken ?? typedCell(typed, column);
    if ("error" in parsed) return setError(parsed.error);
    if (parsed.value === value && !taken) return onClose();
    setIsSaving(true);
    try {
      await onSave(parsed.value, taken?.places);
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setIsSaving(false);
    }
  };
  const shared = {
    value: typed,
    "aria-label": t("sheets.newValueOfTitle", { title: column.title }),
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? "cell-error" : undefined,
    className: "h-7!",
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value);
      setError(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === "Escape") onClose();
      if (event.key === "Enter") void save();
    },
  };
  const attach = (element: HTMLElement | null): void => {
    control.current = element;
  };
  return (
    <div className="min-w-32">
      {column.kind === "boolean" ? (
        <Select {...shared} ref={attach}>
          <option value="">{t("common.empty")}</option>
          <option value="true">{t("sheets.yes")}</option>
          <option value="false">{t("sheets.no")}</option>
        </Select>
      ) : (
        <Input {...shared} ref={attach} disabled={isSaving} inputMode={column.kind === "number" ? "decimal" : undefined} />
      )}
      {error && (
        <p id="cell-error" role="alert" className="py-1 text-sm whitespace-normal text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
