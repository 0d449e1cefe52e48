import type { Schema } from "@/lib/api/schemas";
import { plural } from "@/lib/format";
import type { Problem } from "@/lib/schema/problem";

import { SchemaDiff } from "./SchemaDiff";
import { formatDiffers } from "./values";

import type { SchemaValues } from "./values";

interface SchemaChangesProps {
  isNew: boolean;
  /** The schema that a new one becomes a version of. */
  namesake: Schema | undefined;
  before: SchemaValues;
  values: SchemaValues;
  check: { errors: Problem[] } | undefined;
}

/** What saving a schema changes, and what the strict check has against it. */
export function SchemaChanges({ isNew, namesake, before, values, check }: SchemaChangesProps) {
  const name = values.name.trim();
  return (
    <>
      {!isNew && name !== before.name && (
        <p>
          The name changes from <s>{before.name}</s> to <strong>{name}</strong>.
        </p>
      )}
      {formatDiffers(values, before) && (
        <SchemaDiff label="What changes" before={namesake?.response_format ?? before.draft.format} after={values.draft.format} />
      )}
      {check && check.errors.length > 0 && (
        <p className="text-sm text-muted">
          The strict check finds {plural(check.errors.length, "error")}. You can save it; a provider may not keep to it.
        </p>
      )}
    </>
  );
}
