import { useId } from "react";

import { t } from "@/lib/i18n";

export const COLOURS = [
  { get name() { return t("tags.blue"); }, value: "#3B82F6" },
  { get name() { return t("tags.teal"); }, value: "#0F9B8E" },
  { get name() { return t("tags.green"); }, value: "#3E9B4F" },
  { get name() { return t("tags.yellow"); }, value: "#C99A06" },
  { get name() { return t("tags.orange"); }, value: "#E07B24" },
  { get name() { return t("tags.red"); }, value: "#D64545" },
  { get name() { return t("tags.pink"); }, value: "#C84B96" },
  { get name() { return t("tags.violet"); }, value: "#8259D6" },
  { get name() { return t("tags.grey"); }, value: "#7B8290" },
];

interface ColourChoiceProps {
  value: string;
  onChange: (value: string) => void;
}

/** A few colours that can be told apart in light and dark. A colour from elsewhere stays as a choice. */
export function ColourChoice({ value, onChange }: ColourChoiceProps) {
  const name = useId();
  const isOurs = COLOURS.some((colour) => colour.value.toLowerCase() === value.toLowerCase());
  const offered = isOurs ? COLOURS : [...COLOURS, { name: t("tags.itsOwnColour", { value }), value }];
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t("tags.colour")}</legend>
      <div className="flex flex-wrap gap-1">
        {offered.map((colour) => (
          <label key={colour.value} title={colour.name} className="relative size-7 cursor-pointer">
            <input
              type="radio"
              name={name}
              aria-label={colour.name}
              checked={colour.value.toLowerCase() === value.toLowerCase()}
              onChange={() => onChange(colour.value)}
              className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full"
            />
            <span
              aria-hidden
              className="pointer-events-none absolute inset-1 rounded-full ring-ink ring-offset-2 ring-offset-surface peer-checked:ring-2"
              style={{ backgroundColor: colour.value }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
