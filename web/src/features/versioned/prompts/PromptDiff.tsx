import { FieldDiff, LineDiff } from "@/components/DiffView";
import { useAllSchemas } from "@/lib/api/schemas";
import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";

import { described } from "./values";

import type { PromptValues } from "./values";

/** Two states of a prompt: its settings by name, its text by line. */
export function PromptDiff({ before, after, label }: { before: PromptValues; after: PromptValues; label: string }) {
  const { data: schemas = [] } = useAllSchemas();
  const { data: tags = [] } = useTags();
  const names = {
    schema: (id: string) => schemas.find((item) => item.schema_id === id)?.name ?? t("prompts.aSchema"),
    tag: (id: string) => tags.find((item) => item.id === id)?.name ?? t("prompts.aTag"),
  };
  const [old, now] = [described(before, names), described(after, names)];
  const settingsDiffer = JSON.stringify(old) !== JSON.stringify(now);
  const textDiffers = before.content !== after.content;
  if (!settingsDiffer && !textDiffers) return <p className="text-muted">{t("common.noDifferences")}</p>;
  return (
    <div className="flex flex-col gap-2">
      {settingsDiffer && <FieldDiff label={label} before={old} after={now} />}
      {textDiffers && <LineDiff label={t("prompts.labelTheText", { label })} before={before.content} after={after.content} />}
    </div>
  );
}
