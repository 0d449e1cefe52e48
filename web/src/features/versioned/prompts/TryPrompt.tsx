import { ErrorNote, Loading } from "@/components/Notes";
import { useSchemaVersions } from "@/lib/api/schemas";
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
  if (error) return <ErrorNote className="m-4" what="The schema cannot be read." error={error} />;
  if (isOtherSchema && values.schemaId && !schema) return <Loading what="the schema" />;
  const isOtherText = values.content !== before.content;
  const draft =
    isOtherText || isOtherSchema
      ? { content: isOtherText ? values.content : null, json_schema: schema ? schemaIn(schema.response_format) : null }
      : null;
  const blocked = isOtherSchema && !values.schemaId ? "Without a schema there are no fields to measure." : values.content.trim() === "" && "Write what to look for first.";
  return <TryDraft promptId={promptId} draft={draft} model={values.model || null} blocked={blocked} />;
}
