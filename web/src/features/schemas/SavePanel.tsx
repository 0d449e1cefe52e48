import { BeforeSaving } from "@/components/editor/Questions";
import { useAllSchemas } from "@/lib/api/schemas";
import type { Schema } from "@/lib/api/schemas";
import { plural } from "@/lib/format";

import { SchemaDiff } from "./SchemaDiff";
import { useSaveSchema } from "./useSchemas";

import type { Editing } from "./useEditing";
import type { Problem } from "./useSchemas";

interface SavePanelProps {
  schemaId: string | null;
  editing: Editing;
  check: { errors: Problem[] } | undefined;
  onSaved: (schema: Schema) => void;
  onClose: () => void;
}

export function SavePanel({ schemaId, editing, check, onSaved, onClose }: SavePanelProps) {
  const { base, draft, formatChanged } = editing;
  const name = editing.name.trim();
  const save = useSaveSchema(schemaId);
  const { data: schemas = [] } = useAllSchemas();
  const same = schemas.find((schema) => schema.name.toLowerCase() === name.toLowerCase() && schema.schema_id !== schemaId);
  const action = schemaId === null ? (same ? `Save as version ${same.schema_version + 1}` : "Create schema") : formatChanged ? "Save version" : "Rename schema";
  const before = schemaId === null ? (same?.response_format ?? base.format) : base.format;
  return (
    <BeforeSaving
      action={action}
      isSaving={save.isPending}
      error={save.error}
      onSave={() => save.mutate({ name, response_format: draft.format }, { onSuccess: onSaved })}
      onClose={onClose}
    >
      {schemaId === null && same && (
        <p>There is a schema “{same.name}” already. Saving makes this its version {same.schema_version + 1}.</p>
      )}
      {schemaId !== null && name !== base.name && (
        <p>
          The name changes from <s>{base.name}</s> to <strong>{name}</strong>.
        </p>
      )}
      {formatChanged && <SchemaDiff label="What changes" before={before} after={draft.format} />}
      {check && check.errors.length > 0 && (
        <p className="text-sm text-muted">
          The strict check finds {plural(check.errors.length, "error")}. You can save it; a provider may not keep to it.
        </p>
      )}
    </BeforeSaving>
  );
}
