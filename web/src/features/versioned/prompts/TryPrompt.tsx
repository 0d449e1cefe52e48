import { ErrorNote, Loading } from "@/components/Notes";
import { useSchemaVersions } from "@/lib/api/schemas";
import { t } from "@/lib/i18n";
import { schemaIn } from "@/lib/schema/json";

import { TryDraft } from "../accuracy/TryDraft";

import type { PromptValues } from "./values";

interface TryPromptProps {
  promptId: string;
  values: PromptValues;
  /** As it is saved. */
  before: PromptValues;
}

/** What is written of a prompt, tried on verified documents before it is saved. */
export function TryPrompt({ promptId, values, before }: TryPromptProps) {
  const isOtherSchema = values.schemaId !== before.schemaId || values.schemaVersion !== before.schemaVersion;
  const { data: versions, error } = useSchemaVersions(isOtherSchema ? values.schemaId : null);
  const schema = versions?.find((item) => item.schema_version === values.schemaVersion);
  if (error) return <ErrorNote className="m-4" what={t("prompts.theSchemaCannotBeRead")} error={error} />;
  if (isOtherSchema && values.schemaId && !schema) return <Loading what={t("prompts.theSchema")} />;
  const isOtherText = values.content !== before.content;
  const draft =
    isOtherText || isOtherSchema
      ? { content: isOtherText ? values.content : null, json_schema: schema ? schemaIn(schema.response_format) : null }
      : null;
  const blocked = isOtherSchema && !values.schemaId ? t("prompts.withoutASchemaThereAreNo") : values.content.trim() === "" && t("prompts.writeWhatToLookForFirst");
  return <TryDraft promptId={promptId} draft={draft} model={values.model || null} blocked={blocked} />;
}
