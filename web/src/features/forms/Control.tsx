import { Checkbox, Field, Input, Select, Textarea } from "@/components/Field";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

import { isObject, optionsOf } from "./formio";

import type { Component } from "./formio";

interface ControlProps {
  component: Component;
  value: unknown;
  onChange: (value: unknown) => void;
  mistake?: string;
  hideLabel?: boolean;
}

const INPUT_TYPES: Record<string, string> = { email: "email", phoneNumber: "tel", url: "url", password: "password", date: "date", day: "date" };

/** One field of a form with its label, hint and mistake. */
export function Control({ component, value, onChange, mistake, hideLabel }: ControlProps) {
  const name = component.label ?? words(component.key ?? "");
  const label = component.validate?.required ? t("forms.nameNeeded", { name }) : name;
  const hint = component.description ?? component.tooltip;
  if (component.type === "checkbox") {
    return (
      <div className="flex flex-col">
        <Checkbox label={label} hideLabel={hideLabel} disabled={component.disabled} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        {hint && <p className="text-sm text-muted">{hint}</p>}
        {mistake && (
          <p role="alert" className="text-sm text-bad">
            {mistake}
          </p>
        )}
      </div>
    );
  }
  if (component.type === "radio" || component.type === "selectboxes") {
    return <Choices component={component} label={label} hint={hint} value={value} onChange={onChange} mistake={mistake} />;
  }
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={mistake}>
      {(control) => <Entry component={component} control={control} value={value} onChange={onChange} />}
    </Field>
  );
}

interface EntryProps extends Pick<ControlProps, "component" | "value" | "onChange"> {
  control: { id: string };
}

function Entry({ component, control, value, onChange }: EntryProps) {
  const shared = { ...control, disabled: component.disabled, placeholder: component.placeholder };
  const text = typedText(value);
  switch (component.type) {
    case "textarea":
      return <Textarea {...shared} rows={typeof component.rows === "number" ? component.rows : 3} value={text} onChange={(event) => onChange(event.target.value)} />;
    case "select":
      return (
        <Select {...shared} value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t("common.choose")}</option>
          {optionsOf(component).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          {text && !optionsOf(component).some((option) => String(option.value) === text) && <option value={text}>{text}</option>}
        </Select>
      );
    case "number":
    case "currency":
      return <Input {...shared} inputMode="decimal" value={text} onChange={(event) => onChange(event.target.value || null)} />;
    case "datetime": {
      const withTime = component.enableTime !== false;
      return <Input {...shared} type={withTime ? "datetime-local" : "date"} value={withTime ? text.slice(0, 16) : text.slice(0, 10)} onChange={(event) => onChange(event.target.value)} />;
    }
    default:
      return <Input {...shared} type={INPUT_TYPES[component.type] ?? "text"} value={text} onChange={(event) => onChange(event.target.value)} />;
  }
}

function Choices({ component, label, hint, value, onChange, mistake }: ControlProps & { label: string; hint?: string }) {
  const isMany = component.type === "selectboxes";
  const chosen = isObject(value) ? value : {};
  return (
    <fieldset className="flex flex-col gap-0.5">
      <legend className="text-sm font-medium">{label}</legend>
      {optionsOf(component).map((option) =>
        isMany ? (
          <Checkbox key={option.value} label={option.label} checked={chosen[option.value] === true} onChange={(event) => onChange({ ...chosen, [option.value]: event.target.checked })} />
        ) : (
          <label key={option.value} className="inline-flex min-h-6 items-center gap-2">
            <input type="radio" className="m-1 size-4 accent-(--accent)" checked={typedText(value) === String(option.value)} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ),
      )}
      {hint && <p className="text-sm text-muted">{hint}</p>}
      {mistake && (
        <p role="alert" className="text-sm text-bad">
          {mistake}
        </p>
      )}
    </fieldset>
  );
}

function typedText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
