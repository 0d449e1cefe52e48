import { Field, Select } from "@/components/Field";
import { t } from "@/lib/i18n";

const PICTURES = [
  { value: "never", get label() { return t("settings.picturesNever"); } },
  { value: "doubtful", get label() { return t("settings.picturesDoubtful"); } },
  { value: "always", get label() { return t("settings.picturesAlways"); } },
] as const;
export type Pictures = (typeof PICTURES)[number]["value"];

export function picturesLabel(value: Pictures): string {
  return PICTURES.find((one) => one.value === value)?.label ?? value;
}

interface PicturesChoiceProps<Value> {
  value: Value;
  onChange: (value: Value) => void;
  /** What is chosen by choosing nothing, where that is possible. */
  unchosen?: string;
  disabledBecause?: string | false;
}

/** Which pages go as pictures to models that see. An empty value leaves it to somebody else. */
export function PicturesChoice<Value extends Pictures | "">({ value, onChange, unchosen, disabledBecause }: PicturesChoiceProps<Value>) {
  return (
    <Field label={t("settings.whichPagesAreSent")}>
      {(control) => (
        <Select {...control} className="sm:max-w-80" value={value} disabled={Boolean(disabledBecause)} title={disabledBecause || undefined} onChange={(event) => onChange(event.target.value as Value)}>
          {unchosen && <option value="">{unchosen}</option>}
          {PICTURES.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
