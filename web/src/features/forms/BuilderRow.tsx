import { Unlink } from "lucide-react";

import { IconButton } from "@/components/Button";
import { EditableRow } from "@/components/EditableRow";
import type { RowActions } from "@/components/EditableRow";
import { Select } from "@/components/Field";
import { Choices } from "@/components/schema/Choices";
import { t } from "@/lib/i18n";

import { choosesOf, keyProblem, KINDS, labelled, mappingIn, optionsIn, rekeyed, retyped, setOptions, setRequired, unfilled } from "./build";

import type { Row } from "./build";
import type { FormFormat } from "./useForms";

interface BuilderRowProps extends RowActions {
  row: Row;
  format: FormFormat;
  onFormat: (format: FormFormat) => void;
  blocked: string | false;
}

/** One field of a form: label, kind, whether it is needed, and the key under which its value is stored. */
export function BuilderRow({ row, format, onFormat, blocked, ...actions }: BuilderRowProps) {
  const { component, name } = row;
  const readOnly = Boolean(blocked);
  const source = mappingIn(format)[component.key ?? ""]?.sources?.[0];
  return (
    <EditableRow
      {...actions}
      row={row}
      called={name}
      blocked={blocked}
      name={{ label: t("forms.labelOfName", { name }), value: component.label ?? component.legend ?? "", onChange: (typed) => onFormat(labelled(format, row, typed)) }}
      kind={
        <Select aria-label={t("forms.kindOfName", { name })} disabled={readOnly} value={component.type} onChange={(event) => onFormat(retyped(format, row, event.target.value))}>
          {!(component.type in KINDS) && <option value={component.type}>{component.type}</option>}
          {Object.entries(KINDS).map(([type, kind]) => (
            <option key={type} value={type}>
              {kind}
            </option>
          ))}
        </Select>
      }
      required={{
        word: t("forms.needed"),
        label: t("forms.nameIsNeeded", { name }),
        hint: t("forms.neededItMustBeFilledIn"),
        checked: component.validate?.required === true,
        onChange: (checked) => onFormat(setRequired(format, row, checked)),
      }}
      last={{
        label: t("forms.keyOfName", { name }),
        value: component.key ?? "",
        onChange: (typed) => onFormat(rekeyed(format, row, typed)),
        wrong: keyProblem(format, row),
        isCode: true,
      }}
    >
      {choosesOf(component) && (
        <Choices field={name} choices={optionsIn(component).map((option) => option.label)} readOnly={readOnly} onChange={(labels) => onFormat(setOptions(format, row, labels))} />
      )}
      {source && (
        <p className="flex min-w-0 items-center gap-1 text-xs text-muted">
          <span className="min-w-0 truncate">
            {t("forms.filledFromPromptName", { promptName: source.promptName ?? t("forms.theExtraction") })}{" "}<span className="font-mono">{source.schemaFieldPath}</span>
          </span>
          <IconButton small icon={Unlink} label={t("forms.doNotFillName", { name })} disabledBecause={blocked} onClick={() => onFormat(unfilled(format, row))} />
        </p>
      )}
      {row.hasMore && !row.isGroup && <p className="text-xs text-muted">{t("forms.whatIsInsideIsOnlyIn")}</p>}
    </EditableRow>
  );
}
