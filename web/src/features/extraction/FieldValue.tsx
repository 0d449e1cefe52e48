import { useEffect, useRef } from "react";

import { ON_THE_PAGE } from "@/components/ValueSigns";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { ValueEditor } from "./ValueEditor";
import { useFieldActions } from "./context";
import { fieldId } from "./tree";
import { explained } from "./voices";
import { shownValue } from "./writing";

import type { Leaf } from "./tree";
import type { KeyboardEvent } from "react";

/** A value: point at it to light its words, press it to go there, Enter or a double click to edit it. */
export function FieldValue({ leaf, isCell }: { leaf: Leaf; isCell?: boolean }) {
  const actions = useFieldActions();
  const button = useRef<HTMLButtonElement>(null);
  const isSelected = actions.selected?.promptRevid === actions.promptRevid && actions.selected.path === leaf.path;
  const isEditing = actions.editing === leaf.path;
  const wasEditing = useRef(false);

  useEffect(() => {
    if (!isSelected) return;
    button.current?.scrollIntoView({ block: "nearest" });
    // Chosen by its word on the page: the keys of the field work at once.
    if (actions.isPicked) button.current?.focus({ preventScroll: true });
  }, [isSelected, actions.isPicked]);
  useEffect(() => {
    // A user who leaves the editor is back on the value.
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  if (isEditing) {
    return <ValueEditor leaf={leaf} onSave={(value, places) => actions.save(leaf.path, value, places)} onClose={() => actions.edit(null)} />;
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    actions.edit(leaf.path);
  };
  const text = shownValue(leaf, actions.writing);
  const isNumber = typeof leaf.value === "number";
  return (
    <button
      ref={button}
      type="button"
      data-field={fieldId({ promptRevid: actions.promptRevid, path: leaf.path })}
      data-mark={leaf.mark}
      aria-label={`${leaf.label}: ${text || t("extraction.empty")}. ${explained(leaf)}`}
      aria-pressed={isSelected}
      onClick={() => actions.select(leaf)}
      onDoubleClick={() => actions.edit(leaf.path)}
      onKeyDown={press}
      onMouseEnter={() => actions.hover(leaf)}
      onMouseLeave={() => actions.hover(null)}
      className={cx(
        "min-h-7 min-w-0 rounded-sm px-1.5 py-0.5 wrap-anywhere whitespace-pre-wrap hover:bg-hover",
        isCell ? "w-full" : "flex-1",
        isNumber && isCell ? "text-right tabular-nums" : "text-left",
        isSelected && "bg-accent-soft ring-1 ring-accent",
        !text && "text-muted",
      )}
    >
      {text ? (
        <span dir="auto" className={cx(leaf.known.isFound && ON_THE_PAGE, (isNumber || leaf.input === "date") && "whitespace-nowrap")}>
          {text}
        </span>
      ) : isCell ? (
        "–"
      ) : (
        t("common.empty")
      )}
    </button>
  );
}
