import { useEffect } from "react";

import { asObject } from "@/lib/agent/words";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import type { Draft } from "@/lib/schema/draft";

import { Button } from "../Button";
import { CodeEditor } from "../CodeEditor";
import { Checkbox, Field, Input, Select, Textarea } from "../Field";
import { Kbd } from "../Kbd";
import { FieldsPane } from "../schema/FieldsPane";

import { editsOf, readField, withField } from "./parameters";
import { useArguments } from "./useArguments";

import type { ArgumentField as AnyArgument, FlatField } from "./parameters";

interface ArgumentsFormProps {
  /** As the model wrote them: JSON text. */
  arguments: string;
  /** Changes of them that were left earlier. */
  kept: string | null;
  /** The tool's parameters as a JSON schema; without it there is only JSON. */
  parameters?: Record<string, unknown>;
  submit: string;
  busy?: string | false;
  onSubmit: (values: Record<string, unknown>) => void;
  /** Keeps what was changed, as JSON text. */
  onKeep: (changes: string | null) => void;
  onLeave: () => void;
}

/** Change what a call would run with: each argument in the editor that fits it, or all of them as JSON. Escape leaves. */
export function ArgumentsForm({ arguments: given, kept, parameters, submit, busy, onSubmit, onKeep, onLeave }: ArgumentsFormProps) {
  const editing = useArguments(given, kept, parameters);
  const { form, asJson, changes } = editing;
  // At once, so that neither a reload nor another width of the window loses anything.
  useEffect(() => onKeep(changes), [onKeep, changes]);
  return (
    // Escape leaves the form from any of its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const finished = editing.finished();
        if (finished) onSubmit(finished);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onLeave();
      }}
    >
      {asJson || !form ? (
        <CodeEditor autoFocus label={t("cards.argumentsAsJson")} value={editing.text} onChange={editing.type} className="overflow-hidden rounded-md border" />
      ) : (
        <>
          {form.fields.map((field, index) => (
            <AnyField key={field.name} field={field} autoFocus={index === 0} editing={editing} />
          ))}
          {form.rest.length > 0 && (
            <p className="text-sm text-muted">
              {t("cards.onlyInTheJson")}{" "}<span className="font-mono">{form.rest.join(", ")}</span>
            </p>
          )}
        </>
      )}
      {editing.problem && (
        <p role="alert" className="text-sm text-bad">
          {editing.problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button small variant="primary" type="submit" busy={busy}>
          {submit}
        </Button>
        <Button small onClick={onLeave}>
          {t("cards.back")}{" "}<Kbd keys="Escape" />
        </Button>
        {changes !== null && (
          <Button
            small
            variant="quiet"
            onClick={() => {
              onKeep(null);
              onLeave();
            }}
          >
            {t("cards.discardChanges")}
          </Button>
        )}
        {editing.hasForm && (
          <Button small variant="quiet" className="ml-auto" onClick={editing.toggle}>
            {asJson ? t("cards.editAsAForm") : t("cards.editAsJson")}
          </Button>
        )}
      </div>
    </form>
  );
}

interface AnyFieldProps {
  field: AnyArgument;
  autoFocus: boolean;
  editing: ReturnType<typeof useArguments>;
}

function AnyField({ field, autoFocus, editing: { values, change, schema, changeSchema } }: AnyFieldProps) {
  if (field.kind === "schema") {
    return schema && <SchemaArgument draft={schema} onDraft={(next) => changeSchema(field.name, next)} />;
  }
  if (field.kind === "edits") {
    return <EditsArgument edits={values[field.name]} autoFocus={autoFocus} onChange={(edits) => change({ ...values, [field.name]: edits })} />;
  }
  return <ArgumentField field={field} autoFocus={autoFocus} values={values} onChange={change} />;
}

/** The fields of a schema, as its own page shows them. */
function SchemaArgument({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  return (
    // Enter adds fields and values here; it does not approve.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="-mx-3 border-y"
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <FieldsPane draft={draft} onDraft={onDraft} check={undefined} />
    </div>
  );
}

/** The new texts of a change, one below the other. */
function EditsArgument({ edits, autoFocus, onChange }: { edits: unknown; autoFocus: boolean; onChange: (edits: unknown[]) => void }) {
  const items = Array.isArray(edits) ? (edits as unknown[]) : [];
  return (editsOf(edits) ?? []).map(({ does, key }, index) => {
    const item = asObject(items[index]);
    if (key === null) return <p key={index} className="text-sm wrap-anywhere">{does}</p>;
    return (
      <Field key={index} label={does}>
        {(control) => (
          <LongText
            control={control}
            autoFocus={autoFocus && index === 0}
            text={readField(item[key])}
            onText={(text) => onChange(items.with(index, { ...item, [key]: text }))}
          />
        )}
      </Field>
    );
  });
}

interface LongTextProps {
  control: object;
  text: string;
  autoFocus?: boolean;
  onText: (text: string) => void;
}

/** As high as its text, within bounds. */
function LongText({ control, text, autoFocus, onText }: LongTextProps) {
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n").length + 1));
  return <Textarea {...control} autoFocus={autoFocus} rows={rows} value={text} onChange={(event) => onText(event.target.value)} />;
}

const LEAST_ROWS = 4;
const MOST_ROWS = 16;

interface ArgumentFieldProps {
  field: FlatField;
  /** Instead of the argument's own name. */
  label?: string;
  values: Record<string, unknown>;
  autoFocus?: boolean;
  onChange: (values: Record<string, unknown>) => void;
}

/** One argument of a call, in the control that fits its kind. */
export function ArgumentField({ field, label = words(field.name), values, autoFocus, onChange }: ArgumentFieldProps) {
  const change = (text: string | boolean): void => onChange(withField(values, field, text));
  const value = values[field.name];
  if (field.kind === "boolean") {
    return <Checkbox label={label} checked={value === true} onChange={(event) => change(event.target.checked)} />;
  }
  const written = readField(value);
  return (
    <Field label={label} hint={field.required ? undefined : t("cards.mayBeLeftOut")}>
      {(control) => {
        if (field.kind === "choice") {
          return (
            <Select {...control} value={written} onChange={(event) => change(event.target.value)}>
              {!field.required && <option value="">{t("cards.leftOut")}</option>}
              {field.choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </Select>
          );
        }
        const isLong = field.kind === "text" && (written.length > 60 || written.includes("\n") || field.name === "content");
        return isLong ? (
          <LongText control={control} autoFocus={autoFocus} text={written} onText={change} />
        ) : (
          <Input
            {...control}
            autoFocus={autoFocus}
            inputMode={field.kind === "number" ? "decimal" : undefined}
            value={written}
            onChange={(event) => change(event.target.value)}
          />
        );
      }}
    </Field>
  );
}
