import { Plus, X } from "lucide-react";
import { useState } from "react";

import { t } from "@/lib/i18n";

import { IconButton } from "../Button";
import { Input } from "../Field";

interface ChoicesProps {
  field: string;
  choices: string[];
  readOnly: boolean;
  onChange: (choices: string[]) => void;
}

/** The values that a field may have. Enter adds one. */
export function Choices({ field, choices, readOnly, onChange }: ChoicesProps) {
  const [typed, setTyped] = useState("");
  const wanted = typed.trim();
  const isThere = choices.includes(wanted);
  const add = (): void => {
    if (!wanted || isThere) return;
    onChange([...choices, wanted]);
    setTyped("");
  };
  return (
    <div className="flex flex-wrap items-center gap-1 py-0.5">
      <ul aria-label={t("schemaFields.valuesOfField", { field })} className="contents">
        {choices.map((choice) => (
          <li key={choice} className="inline-flex h-6 items-center gap-1 rounded-sm bg-sunken pl-1.5 text-sm">
            <span className="max-w-40 truncate">{choice || t("schemaFields.empty")}</span>
            {!readOnly && (
              <button type="button" aria-label={t("schemaFields.removeTheValueChoice", { choice })} onClick={() => onChange(choices.filter((other) => other !== choice))} className="flex size-6 items-center justify-center rounded-sm hover:bg-hover">
                <X size={12} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <span className="inline-flex items-center">
          <Input
            aria-label={t("schemaFields.newValueOfField", { field })}
            placeholder={t("schemaFields.addAValue")}
            className="!h-6 !w-28 !text-sm"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
            onBlur={add}
          />
          <IconButton small icon={Plus} label={t("schemaFields.addTheValueToField", { field })} disabledBecause={!wanted ? t("schemaFields.typeAValueFirst") : isThere && t("schemaFields.thisValueIsThereAlready")} onClick={add} />
        </span>
      )}
    </div>
  );
}
