import { useId } from "react";

export const COLOURS = [
  { name: "Blue", value: "#3B82F6" },
  { name: "Teal", value: "#0F9B8E" },
  { name: "Green", value: "#3E9B4F" },
  { name: "Yellow", value: "#C99A06" },
  { name: "Orange", value: "#E07B24" },
  { name: "Red", value: "#D64545" },
  { name: "Pink", value: "#C84B96" },
  { name: "Violet", value: "#8259D6" },
  { name: "Grey", value: "#7B8290" },
] as const;

interface ColourChoiceProps {
  value: string;
  onChange: (value: string) => void;
}

/** A few colours that can be told apart in light and dark. A colour from elsewhere stays as a choice. */
export function ColourChoice({ value, onChange }: ColourChoiceProps) {
  const name = useId();
  const isOurs = COLOURS.some((colour) => colour.value.toLowerCase() === value.toLowerCase());
  const offered = isOurs ? COLOURS : [...COLOURS, { name: `Its own colour ${value}`, value }];
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
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
