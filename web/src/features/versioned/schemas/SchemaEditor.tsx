import { Badge } from "@/components/Badge";
import { FieldsPane } from "@/components/schema/FieldsPane";
import type { Schemas } from "@/lib/api/client";
import { SCHEMAS } from "@/lib/api/schemas";
import type { Schema } from "@/lib/api/schemas";
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
      note: draft.problem !== null && <Badge tone="bad">not readable</Badge>,
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
            label: "Try it on a document",
            command: "Try the schema on a document",
            content: <TryPane schema={newest} isDirty={isDirty} />,
          },
          {
            value: "accuracy",
            label: "Accuracy",
            command: "Try the schema on verified documents",
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
      example="Invoice"
      onName={(typed) => change(id === null ? namedForProviders(values, typed) : { name: typed })}
      hindrance={hindrance(draft) ?? (name.trim() === "" ? "Give the schema a name first." : null)}
      toSave={{
        body: { name: name.trim(), response_format: draft.format } as Schemas["SchemaIn"],
        isNamesake: (schema) => schema.name.toLowerCase() === name.trim().toLowerCase(),
        onlyRenames: !formatDiffers(values, before),
        difference: (namesake) => <SchemaChanges isNew={id === null} namesake={namesake} before={before} values={values} check={check} />,
      }}
      explainRefusal={explainRefusal}
      main={{ value: "fields", label: "Fields", content: <FieldsPane draft={draft} onDraft={setDraft} check={check} /> }}
      tabs={tabs}
    />
  );
}
