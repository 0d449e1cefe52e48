import { useId } from "react";

import { useAgentHidden, useDensity } from "@/lib/preferences";
import { useTheme } from "@/lib/theme";

import { Card } from "./Card";

interface Option<T extends string> {
  value: T;
  label: string;
  about: string;
}

export function AppearanceSection() {
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const [isHidden, setIsHidden] = useAgentHidden();
  return (
    <>
      <p className="text-muted">These are choices of this browser.</p>
      <Choice
        title="Colours"
        value={theme}
        onChange={setTheme}
        options={[
          { value: "light", label: "Light", about: "Dark text on white" },
          { value: "dark", label: "Dark", about: "Light text on black; pages stay white" },
          { value: "system", label: "System", about: "Follows your computer" },
        ]}
      />
      <Choice
        title="Density"
        value={density}
        onChange={setDensity}
        options={[
          { value: "comfortable", label: "Comfortable", about: "Room between the rows" },
          { value: "compact", label: "Compact", about: "More rows at a glance" },
        ]}
      />
      <Choice
        title="Agent on the document page"
        value={isHidden ? "hidden" : "shown"}
        onChange={(value) => setIsHidden(value === "hidden")}
        options={[
          { value: "shown", label: "Show it", about: "A tab beside extraction and forms" },
          { value: "hidden", label: "Hide it", about: "What waits for you stays in the inbox" },
        ]}
      />
    </>
  );
}

function Choice<T extends string>({ title, value, options, onChange }: { title: string; value: T; options: Option<T>[]; onChange: (value: T) => void }) {
  const name = useId();
  return (
    <Card title={title}>
      <div role="radiogroup" aria-label={title} className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label key={option.value} className="flex min-w-48 flex-1 cursor-pointer items-start gap-2 rounded-md border p-3 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft">
            <input type="radio" name={name} aria-label={option.label} checked={value === option.value} onChange={() => onChange(option.value)} className="mt-0.5 size-4 accent-(--accent)" />
            <span>
              <span className="block font-medium">{option.label}</span>
              <span className="block text-sm text-muted">{option.about}</span>
            </span>
          </label>
        ))}
      </div>
    </Card>
  );
}
