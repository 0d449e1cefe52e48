import { X } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { DocumentChoice } from "@/components/DocumentChoice";
import { Field, Select } from "@/components/Field";
import { ArgumentField } from "@/components/agent/ArgumentsForm";
import { scalarFields } from "@/components/agent/parameters";
import type { FlatField } from "@/components/agent/parameters";
import type { AgentTool } from "@/lib/api/agent";
import { useDocumentSearch } from "@/lib/api/documents";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

/** Where a rule holds; without either it holds for every call of its tool. */
export interface Narrowing {
  document: { id: string; name: string } | null;
  arguments: Record<string, unknown>;
}

export const NOT_NARROWED: Narrowing = { document: null, arguments: {} };

interface NarrowRuleProps {
  tool: AgentTool | undefined;
  narrowing: Narrowing;
  onChange: (narrowing: Narrowing) => void;
}

/** Keep a rule to one document, and to calls whose arguments hold certain values. */
export function NarrowRule({ tool, narrowing, onChange }: NarrowRuleProps) {
  const fields = scalarFields(tool?.parameters);
  const chosen = fields.filter((field) => field.name in narrowing.arguments);
  const others = fields.filter((field) => !(field.name in narrowing.arguments));
  const setArguments = (values: Record<string, unknown>): void => onChange({ ...narrowing, arguments: values });
  return (
    <div role="group" aria-label={t("rules.whereTheRuleApplies")} className="flex flex-col gap-3 rounded-lg border bg-sunken p-3">
      <OnDocument document={narrowing.document} onChange={(document) => onChange({ ...narrowing, document })} />
      {chosen.map((field) => (
        <div key={field.name} className="flex items-end gap-1 sm:max-w-96">
          <div className="min-w-0 flex-1">
            <ArgumentField field={field} label={conditionOf(field)} values={narrowing.arguments} onChange={setArguments} />
          </div>
          <IconButton
            icon={X}
            label={t("rules.anyValueOfName", { name: words(field.name).toLowerCase() })}
            onClick={() => setArguments(without(narrowing.arguments, field.name))}
          />
        </div>
      ))}
      {others.length > 0 && (
        <Field label={chosen.length ? t("rules.andOnlyWhen") : t("rules.onlyWhen")} className="sm:max-w-96">
          {(control) => (
            <Select
              {...control}
              value=""
              onChange={(event) => {
                const field = others.find((one) => one.name === event.target.value);
                if (field) setArguments({ ...narrowing.arguments, [field.name]: first(field) });
              }}
            >
              <option value="">{t("rules.chooseWhatMustHaveACertain")}</option>
              {others.map((field) => (
                <option key={field.name} value={field.name}>
                  {words(field.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {!fields.length && (
        <p className="text-sm text-muted">{tool ? t("rules.thisToolTakesNoSingleValues") : t("rules.chooseOneToolToKeepThe")}</p>
      )}
    </div>
  );
}

interface OnDocumentProps {
  document: Narrowing["document"];
  onChange: (document: Narrowing["document"]) => void;
}

function OnDocument({ document, onChange }: OnDocumentProps) {
  const [find, setFind] = useState("");
  const [isChoosing, setIsChoosing] = useState(false);
  const { data } = useDocumentSearch(find);
  if (!isChoosing) {
    return (
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="min-w-0 truncate">{document ? t("rules.onlyOnName", { name: document.name }) : t("rules.onEveryDocument")}</span>
        <Button small onClick={() => setIsChoosing(true)}>
          {document ? t("rules.chooseAnother") : t("rules.onlyOnOneDocument")}
        </Button>
        {document && (
          <Button small variant="quiet" onClick={() => onChange(null)}>
            {t("rules.onEveryDocument")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <DocumentChoice
      documents={data}
      find={find}
      onFind={setFind}
      chosen={document?.id ?? null}
      onChoose={(chosen) => {
        onChange({ id: chosen.id, name: chosen.document_name });
        setIsChoosing(false);
      }}
    />
  );
}

function conditionOf(field: FlatField): string {
  return field.kind === "boolean" ? t("rules.onlyWhenNameIsTicked", { name: words(field.name).toLowerCase() }) : t("rules.onlyWhenNameIs", { name: words(field.name).toLowerCase() });
}

/** What a value begins with when it is to be written; texts and numbers begin empty. */
function first(field: FlatField): unknown {
  if (field.kind === "boolean") return true;
  return field.kind === "choice" ? field.choices[0] : "";
}

function without(values: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}
