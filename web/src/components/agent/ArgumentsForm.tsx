import { useState } from "react";

import { asObject, parsed, pretty } from "@/lib/agent/words";
import { words } from "@/lib/format";

import { Button } from "../Button";
import { CodeEditor } from "../CodeEditor";
import { Checkbox, Field, Input, Select, Textarea } from "../Field";

import { flatFields, readField, withField } from "./parameters";

import type { FlatField } from "./parameters";

interface ArgumentsFormProps {
  /** As the model wrote them: JSON text. */
  arguments: string;
  /** The tool's parameters as a JSON schema; without it there is only JSON. */
  parameters?: Record<string, unknown>;
  submit: string;
  busy?: string | false;
  onSubmit: (values: Record<string, unknown>) => void;
  onCancel: () => void;
}

/** Change what a call would run with: a form where the parameters are flat, JSON otherwise. */
export function ArgumentsForm({ arguments: given, parameters, submit, busy, onSubmit, onCancel }: ArgumentsFormProps) {
  const original = asObject(parsed(given));
  const fields = flatFields(parameters, original);
  const [asJson, setAsJson] = useState(fields === null);
  const [values, setValues] = useState(original);
  const [json, setJson] = useState(() => pretty(given));
  const [problem, setProblem] = useState<string | null>(null);

  const send = (): void => {
    if (!asJson) return onSubmit(values);
    const read = parsed(json);
    if (typeof read !== "object" || read === null || Array.isArray(read)) {
      setProblem("This is not a JSON object. Mend it, or cancel to keep what was proposed.");
    } else onSubmit(read as Record<string, unknown>);
  };
  const toggle = (): void => {
    setProblem(null);
    if (!asJson) setJson(JSON.stringify(values, null, 2));
    else setValues(asObject(parsed(json)));
    setAsJson(!asJson);
  };
  return (
    // Escape leaves the form from any of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      {asJson || !fields ? (
        <CodeEditor label="Arguments as JSON" value={json} onChange={setJson} className="overflow-hidden rounded-md border" />
      ) : (
        fields.map((field, index) => (
          <ArgumentField key={field.name} field={field} autoFocus={index === 0} values={values} onChange={setValues} />
        ))
      )}
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button small variant="primary" type="submit" busy={busy}>
          {submit}
        </Button>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
        {fields && (
          <Button small variant="quiet" onClick={toggle}>
            {asJson ? "Edit as a form" : "Edit as JSON"}
          </Button>
        )}
      </div>
    </form>
  );
}

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
    <Field label={label} hint={field.required ? undefined : "May be left out."}>
      {(control) => {
        if (field.kind === "choice") {
          return (
            <Select {...control} value={written} onChange={(event) => change(event.target.value)}>
              {!field.required && <option value="">(left out)</option>}
              {field.choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </Select>
          );
        }
        const isLong = field.kind === "text" && (written.length > 60 || written.includes("\n") || field.name === "content");
        return isLong ? (
          <Textarea {...control} autoFocus={autoFocus} rows={5} value={written} onChange={(event) => change(event.target.value)} />
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
