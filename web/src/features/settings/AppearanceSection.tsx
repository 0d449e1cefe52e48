import { useId } from "react";

import { t, useLanguageChoice } from "@/lib/i18n";
import { useAgentHidden, useDensity } from "@/lib/preferences";
import { useTheme } from "@/lib/theme";

import { Card } from "./Card";

interface Option<T extends string> {
  value: T;
  label: string;
  about: string;
}

export function AppearanceSection() {
  const [language, setLanguage] = useLanguageChoice();
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const [isHidden, setIsHidden] = useAgentHidden();
  return (
    <>
      <p className="text-muted">{t("settings.theseAreChoicesOfThisBrowser")}</p>
      <Choice
        title={t("settings.language")}
        value={language}
        onChange={(choice) => void setLanguage(choice)}
        options={[
          { value: "system", label: t("common.system"), about: t("settings.followsYourBrowser") },
          { value: "en", label: "English", about: t("settings.english") },
          { value: "de", label: "Deutsch", about: t("settings.german") },
        ]}
      />
      <Choice
        title={t("settings.colours")}
        value={theme}
        onChange={setTheme}
        options={[
          { value: "light", label: t("common.light"), about: t("settings.darkTextOnWhite") },
          { value: "dark", label: t("common.dark"), about: t("settings.lightTextOnBlackPagesStay") },
          { value: "system", label: t("common.system"), about: t("settings.followsYourComputer") },
        ]}
      />
      <Choice
        title={t("settings.density")}
        value={density}
        onChange={setDensity}
        options={[
          { value: "comfortable", label: t("settings.comfortable"), about: t("settings.roomBetweenTheRows") },
          { value: "compact", label: t("settings.compact"), about: t("settings.moreRowsAtAGlance") },
        ]}
      />
      <Choice
        title={t("settings.agentOnTheDocumentPage")}
        value={isHidden ? "hidden" : "shown"}
        onChange={(value) => setIsHidden(value === "hidden")}
        options={[
          { value: "shown", label: t("settings.showIt"), about: t("settings.aTabBesideExtractionAndForms") },
          { value: "hidden", label: t("settings.hideIt"), about: t("settings.whatWaitsForYouStaysIn") },
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
