import { Link } from "@tanstack/react-router";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { useAllSchemas, useSchemaVersions } from "@/lib/api/schemas";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import type { PromptValues } from "./values";

interface SchemaChoiceProps {
  values: PromptValues;
  onChange: (part: Partial<PromptValues>) => void;
}

/** The schema that the prompt fills, and the version of it that it keeps to. */
export function SchemaChoice({ values, onChange }: SchemaChoiceProps) {
  const { data: schemas = [] } = useAllSchemas();
  const { data: versions = [] } = useSchemaVersions(values.schemaId);
  const orgPath = useOrgPath();
  const schema = schemas.find((item) => item.schema_id === values.schemaId);
  const newest = schema?.schema_version ?? null;
  const isOld = newest !== null && values.schemaVersion !== null && values.schemaVersion < newest;
  const choose = (id: string): void => {
    const found = schemas.find((item) => item.schema_id === id);
    onChange({ schemaId: found?.schema_id ?? null, schemaVersion: found?.schema_version ?? null });
  };
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap gap-2">
        <Field label={t("common.schema")} className="w-full sm:w-80">
          {(control) => (
            <Select {...control} value={values.schemaId ?? ""} onChange={(event) => choose(event.target.value)}>
              <option value="">{t("prompts.noneTheModelChoosesTheFields")}</option>
              {values.schemaId && !schema && <option value={values.schemaId}>{t("prompts.theLinkedSchema")}</option>}
              {schemas.map((item) => (
                <option key={item.schema_id} value={item.schema_id}>
                  {item.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {values.schemaId && (
          <Field label={t("common.version")} className="w-44">
            {(control) => (
              <Select
                {...control}
                value={values.schemaVersion ?? ""}
                onChange={(event) => onChange({ schemaVersion: Number(event.target.value) })}
              >
                {!versions.some((item) => item.schema_version === values.schemaVersion) && (
                  <option value={values.schemaVersion ?? ""}>{t("prompts.versionSchemaVersion", { schemaVersion: values.schemaVersion })}</option>
                )}
                {versions.map((item, index) => (
                  <option key={item.schema_revid} value={item.schema_version}>
                    {t("prompts.versionSchemaVersion", { schemaVersion: item.schema_version })}
                    {index === 0 && ` ${t("common.newestInBrackets")}`}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      {schema && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <Link to={orgPath(`schemas/${schema.schema_id}`)} className="text-accent underline">
            {t("common.openName", { name: schema.name })}
          </Link>
          {isOld && (
            <>
              <span>{t("prompts.aNewerVersionExists")}</span>
              <Button small onClick={() => onChange({ schemaVersion: newest })}>
                {t("prompts.useVersionNewest", { newest })}
              </Button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
