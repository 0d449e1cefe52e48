import { t } from "@/lib/i18n";
import { placeOf } from "@/lib/schema/compare";
import { changed, named } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { nameProblem, setChoices, setDescription, setRequired, setType } from "@/lib/schema/edits";
import type { FieldRow } from "@/lib/schema/fields";
import { BASES, listOf, typeName } from "@/lib/schema/types";
import type { FieldType } from "@/lib/schema/types";

import { EditableRow } from "../EditableRow";
import { Select } from "../Field";

import { Choices } from "./Choices";
import { ProblemList } from "./ProblemList";
import { isShownAtRow } from "./problems";

import type { RowActions } from "../EditableRow";
import type { Told } from "./problems";

interface FieldRowViewProps extends RowActions {
  row: FieldRow;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  problems: Told[];
  /** Why nothing can be changed now. */
  blocked: string | false;
}

/** One field of a schema: name, type, whether it is required, and what to look for. */
export function FieldRowView({ row, draft, onDraft, problems, blocked, ...actions }: FieldRowViewProps) {
  const place = placeOf(row);
  const typedName = draft.names[row.id] ?? row.name;
  const change = (format: Draft["format"]): void => onDraft(changed(draft, format));
  return (
    <EditableRow
      {...actions}
      row={row}
      called={place}
      blocked={blocked}
      name={{
        label: t("schemaFields.nameOfPlace", { place }),
        value: typedName,
        onChange: (typed) => onDraft(named(draft, row, typed)),
        wrong: nameProblem(draft.format, row.parent, typedName, row.name),
        isCode: true,
      }}
      kind={<TypeSelect row={row} label={t("schemaFields.typeOfPlace", { place })} disabled={Boolean(blocked)} onType={(type) => change(setType(draft.format, row.path, type))} />}
      required={{
        word: t("schemaFields.required"),
        label: t("schemaFields.placeIsRequired", { place }),
        hint: t("schemaFields.requiredTheValueMustBeThere"),
        checked: row.required,
        onChange: (checked) => change(setRequired(draft.format, row.parent, row.name, checked)),
      }}
      last={{
        label: t("schemaFields.descriptionOfPlace", { place }),
        placeholder: t("schemaFields.whatToLookFor"),
        value: row.description,
        onChange: (typed) => change(setDescription(draft.format, row.path, typed)),
      }}
    >
      {row.choices && (
        <Choices field={place} choices={row.choices} readOnly={Boolean(blocked)} onChange={(choices) => change(setChoices(draft.format, row.path, choices))} />
      )}
      {row.extras.length > 0 && (
        <p className="text-xs text-muted">
          {t("schemaFields.onlyInTheJson")}{" "}<span className="font-mono">{row.extras.join(", ")}</span>
        </p>
      )}
      <ProblemList problems={problems.filter(isShownAtRow)} />
    </EditableRow>
  );
}

function TypeSelect({ row, label, disabled, onType }: { row: FieldRow; label: string; disabled: boolean; onType: (type: Exclude<FieldType, "other">) => void }) {
  return (
    <Select aria-label={label} value={row.type} disabled={disabled} onChange={(event) => onType(event.target.value as Exclude<FieldType, "other">)}>
      {row.type === "other" && <option value="other">{typeName("other")}</option>}
      {BASES.map((base) => (
        <option key={base} value={base}>
          {typeName(base)}
        </option>
      ))}
      <optgroup label={t("schemaFields.lists")}>
        {BASES.map((base) => (
          <option key={base} value={listOf(base)}>
            {typeName(listOf(base))}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}
