import type { Schema } from "@/lib/api/schemas";
import { rich, t } from "@/lib/i18n";
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
          {rich("schemas.theNameChangesFromSTo", { s: <s>{before.name}</s>, strong: <strong>{name}</strong> })}
        </p>
      )}
      {formatDiffers(values, before) && (
        <SchemaDiff label={t("common.whatChanges")} before={namesake?.response_format ?? before.draft.format} after={values.draft.format} />
      )}
      {check && check.errors.length > 0 && (
        <p className="text-sm text-muted">
          {t("schemas.theStrictCheckFindsCountError", { count: check.errors.length })}
        </p>
      )}
    </>
  );
}
