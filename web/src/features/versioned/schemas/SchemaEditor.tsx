import { Badge } from "@/components/Badge";
import { FieldsPane } from "@/components/schema/FieldsPane";
import type { Schemas } from "@/lib/api/client";
import { SCHEMAS } from "@/lib/api/schemas";
import type { Schema } from "@/lib/api/schemas";
import { t } from "@/lib/i18n";
import { hindrance } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";

import { Editor } from "../Editor";
import { versionsTab } from "../Versions";
import { useEditing } from "../useEditing";

import { explainRefusal } from "./Dependents";
import { JsonPane } from "./JsonPane";
import { SchemaChanges } from "./SchemaChanges";
import { SchemaDiff } from "./SchemaDiff";
import { TryOnVerified } from "./TryOnVerified";
import { TryPane } from "./TryPane";
import { useCheck } from "./useSchemas";
import { EDITABLE, formatDiffers, namedForProviders } from "./values";

import type { EditorProps } from "../OnePage";

/** Fields on the left; the JSON, the versions and a trial on the right. */
export function SchemaEditor({ id, versions }: EditorProps<Schema>) {
  const newest = versions[0] ?? null;
  const editing = useEditing(SCHEMAS, id, newest, EDITABLE);
  const { values, before, change, isDirty } = editing;
  const { name, draft } = values;
  const check = useCheck(draft.format).data;
  const setDraft = (next: Draft): void => change({ draft: next });
  const tabs = [
    {
      value: "json",
      label: "JSON",
      note: draft.problem !== null && <Badge tone="bad">{t("schemas.notReadable")}</Badge>,
      content: <JsonPane draft={draft} onDraft={setDraft} check={check} name={name} />,
    },
    ...(newest
      ? [
          versionsTab({
            kind: SCHEMAS,
            versions,
            difference: (one, other, label) => <SchemaDiff withJson label={label} before={one.response_format} after={other.response_format} />,
          }),
          {
            value: "try",
            label: t("schemas.tryItOnADocument"),
            command: t("schemas.tryTheSchemaOnADocument"),
            content: <TryPane schema={newest} isDirty={isDirty} />,
          },
          {
            value: "accuracy",
            label: t("common.accuracy"),
            command: t("schemas.tryTheSchemaOnVerifiedDocuments"),
            content: (
              <TryOnVerified
                schemaId={newest.schema_id}
                format={formatDiffers(values, before) ? draft.format : null}
                blocked={hindrance(draft) ?? false}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <Editor
      kind={SCHEMAS}
      id={id}
      versions={versions}
      editing={editing}
      example={t("schemas.invoice")}
      onName={(typed) => change(id === null ? namedForProviders(values, typed) : { name: typed })}
      hindrance={hindrance(draft) ?? (name.trim() === "" ? t("schemas.giveTheSchemaANameFirst") : null)}
      toSave={{
        body: { name: name.trim(), response_format: draft.format } as Schemas["SchemaIn"],
        isNamesake: (schema) => schema.name.toLowerCase() === name.trim().toLowerCase(),
        onlyRenames: !formatDiffers(values, before),
        difference: (namesake) => <SchemaChanges isNew={id === null} namesake={namesake} before={before} values={values} check={check} />,
      }}
      explainRefusal={explainRefusal}
      main={{ value: "fields", label: t("common.fields"), content: <FieldsPane draft={draft} onDraft={setDraft} check={check} /> }}
      tabs={tabs}
    />
  );
}
