import { GripVertical, Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { useRowDrag } from "@/components/useRowDrag";
import { useAllPrompts } from "@/lib/api/prompts";
import { useAllSchemas } from "@/lib/api/schemas";
import { t } from "@/lib/i18n";

import { KINDS, mappingIn } from "./build";
import { offeredBy } from "./fromSchema";

import type { Offered } from "./fromSchema";
import type { FormFormat } from "./useForms";

interface SchemaFieldsProps {
  format: FormFormat;
  blocked: string | false;
  /** Adds fields, at a place among the outermost ones or at the end. */
  onAdd: (offered: readonly Offered[], at?: number) => void;
}

/** The fields of a schema, each to be added by a click or dragged to its place. */
export function SchemaFields({ format, blocked, onAdd }: SchemaFieldsProps) {
  const { data: schemas = [] } = useAllSchemas();
  const { data: prompts = [] } = useAllPrompts();
  const [schemaId, setSchemaId] = useState("");
  const schema = schemas.find((one) => one.schema_id === schemaId);
  const offered = schema ? offeredBy(schema, prompts) : [];
  const used = new Set(Object.values(mappingIn(format)).flatMap((one) => (one.sources ?? []).map(({ promptName, schemaFieldPath }) => `${promptName} ${schemaFieldPath}`)));
  const isUsed = ({ mapping }: Offered): boolean => {
    const source = mapping?.sources?.[0];
    return source !== undefined && used.has(`${source.promptName} ${source.schemaFieldPath}`);
  };
  const left = offered.filter((one) => !isUsed(one));
  return (
    <div className="flex flex-col gap-2 border-t pt-3">
      <Field label={t("forms.fromTheFieldsOfASchema")} hint={schema && offered[0]?.mapping === undefined ? t("forms.noPromptUsesThisSchemaYet") : undefined}>
        {(control) => (
          <Select {...control} className="sm:max-w-80" value={schemaId} onChange={(event) => setSchemaId(event.target.value)}>
            <option value="">{schemas.length ? t("forms.chooseASchema") : t("forms.thereAreNoSchemasYet")}</option>
            {schemas.map((one) => (
              <option key={one.schema_id} value={one.schema_id}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {schema && (
        <>
          <ul aria-label={t("forms.fieldsOfName", { name: schema.name })} className="flex flex-wrap gap-1">
            {left.map((one) => (
              <OfferedField key={one.path} offered={one} blocked={blocked} onAdd={(at) => onAdd([one], at)} />
            ))}
          </ul>
          {left.length > 1 && (
            <div>
              <Button small icon={Plus} disabledBecause={blocked} onClick={() => onAdd(left)}>
                {t("forms.addAllCount", { count: left.length })}
              </Button>
            </div>
          )}
          {!left.length && <p className="text-sm text-muted">{offered.length ? t("forms.allItsFieldsAreInThe") : t("forms.itHasNoFields")}</p>}
        </>
      )}
    </div>
  );
}

function OfferedField({ offered, blocked, onAdd }: { offered: Offered; blocked: string | false; onAdd: (at?: number) => void }) {
  const { path, component } = offered;
  // It comes from behind the last row, wherever it is dropped.
  const { drag } = useRowDrag({ id: `schema ${path}`, parentId: "", name: path, index: Infinity }, onAdd, Boolean(blocked));
  return (
    <li>
      <button
        type="button"
        {...drag}
        aria-disabled={blocked ? true : undefined}
        title={t("forms.kindsClickToAddItAt", { kinds: KINDS[component.type] ?? component.type })}
        className="inline-flex h-7 cursor-grab items-center gap-1 rounded-md border bg-surface pr-2 pl-1 text-sm hover:bg-hover"
        onClick={() => !blocked && onAdd()}
      >
        <GripVertical size={12} aria-hidden className="text-muted" />
        <span className="sr-only">{t("forms.add")}</span>
        <span className="font-mono">{path}</span>
      </button>
    </li>
  );
}
