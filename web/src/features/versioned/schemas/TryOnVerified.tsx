import { useState } from "react";

import { Field, Select } from "@/components/Field";
import { Loading } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { schemaIn } from "@/lib/schema/json";
import type { JsonObject } from "@/lib/schema/json";

import { TryDraft } from "../accuracy/TryDraft";

import { useUsers } from "./useSchemas";

interface TryOnVerifiedProps {
  schemaId: string;
  /** What is written and not saved; null where nothing differs. */
  format: JsonObject | null;
  blocked: string | false;
}

/** What is written of a schema, tried by a prompt that uses it on documents that were verified. */
export function TryOnVerified({ schemaId, format, blocked }: TryOnVerifiedProps) {
  const all = useUsers();
  const [chosen, setChosen] = useState("");
  if (!all) return <Loading what={t("schemas.thePrompts")} />;
  const users = all.get(schemaId) ?? [];
  const prompt = users.find((item) => item.prompt_id === chosen) ?? users[0];
  if (!prompt) return <p className="p-3 text-sm text-muted sm:p-4">{t("schemas.noPromptUsesThisSchemaYet")}</p>;
  return (
    <>
      {users.length > 1 && (
        <Field label={t("schemas.promptThatUsesTheSchema")} className="px-3 pt-3 sm:px-4">
          {(control) => (
            <Select {...control} value={prompt.prompt_id} onChange={(event) => setChosen(event.target.value)}>
              {users.map((item) => (
                <option key={item.prompt_id} value={item.prompt_id}>
                  {item.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <TryDraft key={prompt.prompt_id} promptId={prompt.prompt_id} draft={format && { content: null, json_schema: schemaIn(format) }} blocked={blocked} />
    </>
  );
}
