import { Tags } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input, Select, Textarea } from "@/components/Field";
import { PicturesChoice } from "@/components/PicturesChoice";
import { Popover } from "@/components/Popover";
import { TagChip } from "@/components/TagChip";
import { TagPicker } from "@/components/TagPicker";
import { useDefaultModel, useModelNames } from "@/lib/api/models";
import type { Prompt } from "@/lib/api/prompts";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";

import { SchemaChoice } from "./SchemaChoice";
import { splitKeys } from "./values";

import type { PromptValues } from "./values";

interface PromptFormProps {
  values: PromptValues;
  onChange: (part: Partial<PromptValues>) => void;
  newest: Prompt | null;
}

export function PromptForm({ values, onChange, newest }: PromptFormProps) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5 p-3 sm:p-4">
      <Field label={t("prompts.whatToLookFor")} hint={t("prompts.writtenForTheModelTheFields")}>
        {(control) => (
          <Textarea
            {...control}
            rows={10}
            placeholder={t("prompts.extractTheDataOfThisSupplier")}
            value={values.content}
            onChange={(event) => onChange({ content: event.target.value })}
            className="resize-y leading-relaxed"
          />
        )}
      </Field>
      <SchemaChoice values={values} onChange={onChange} />
      <ModelChoice values={values} onChange={onChange} newest={newest} />
      <TagChoice values={values} onChange={onChange} />
      <fieldset className="flex flex-col gap-1">
        <legend className="text-sm font-medium">{t("prompts.whatTheModelGetsOfA")}</legend>
        <Checkbox label={t("prompts.theTextOfItsPages")} checked={values.withText} onChange={(event) => onChange({ withText: event.target.checked })} />
        <PicturesChoice value={values.pictures} unchosen={t("prompts.theOrganisationsDefault")} onChange={(pictures) => onChange({ pictures })} />
      </fieldset>
      <details open={values.metadataKeys.length > 0 || values.peerMatchKeys.length > 0}>
        <summary className="text-sm font-medium">{t("prompts.metadataAndRelatedDocuments")}</summary>
        <div className="flex flex-col gap-3 pt-3">
          <KeysField
            label={t("prompts.metadataKeys")}
            hint={t("prompts.valuesOfTheDocumentsMetadataThat")}
            keys={values.metadataKeys}
            onKeys={(metadataKeys) => onChange({ metadataKeys })}
          />
          <KeysField
            label={t("prompts.peerMatchKeys")}
            hint={t("prompts.documentsWhoseMetadataHasTheSame")}
            keys={values.peerMatchKeys}
            onKeys={(peerMatchKeys) => onChange({ peerMatchKeys })}
          />
        </div>
      </details>
    </div>
  );
}

function ModelChoice({ values, onChange, newest }: PromptFormProps) {
  const { data: names = [] } = useModelNames();
  const { data: usual } = useDefaultModel();
  const isMissing = values.model !== "" && !names.includes(values.model);
  const runs = newest && newest.model !== newest.effective_model ? t("prompts.theSavedVersionRunsOnEffectiveModel", { effectiveModel: newest.effective_model }) : undefined;
  return (
    <Field label={t("common.model")} hint={isMissing ? t("prompts.modelCannotBeCalledNowRuns", { model: values.model, runs: runs ?? "" }) : runs}>
      {(control) => (
        <Select {...control} className="sm:max-w-80" value={values.model} onChange={(event) => onChange({ model: event.target.value })}>
          <option value="">{usual ? t("prompts.theOrganisationsDefaultUsual", { usual }) : t("prompts.theOrganisationsDefault")}</option>
          {isMissing && <option value={values.model}>{values.model}</option>}
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function TagChoice({ values, onChange }: Omit<PromptFormProps, "newest">) {
  const { data: tags = [] } = useTags();
  const createTag = useCreateTag();
  const chosen = tags.filter((tag) => values.tagIds.includes(tag.id));
  return (
    <div role="group" aria-label={t("common.tags")} className="flex flex-col gap-1">
      <span className="text-sm font-medium">{t("common.tags")}</span>
      <div className="flex flex-wrap items-center gap-1">
        {chosen.map((tag) => (
          <TagChip key={tag.id} name={tag.name} color={tag.color} onRemove={() => onChange({ tagIds: values.tagIds.filter((id) => id !== tag.id) })} />
        ))}
        <Popover label={t("prompts.tagsOfThePrompt")} trigger={<Button small icon={Tags}>{t("prompts.chooseTags")}</Button>}>
          <TagPicker
            tags={tags}
            selected={values.tagIds}
            onChange={(tagIds) => onChange({ tagIds })}
            onCreate={async (name) => (await createTag.mutateAsync({ name })).id}
          />
        </Popover>
      </div>
      <p className="text-sm text-muted">{t("prompts.itRunsByItselfOnEvery")}</p>
    </div>
  );
}

/** Words with commas between them. The text is kept as it is typed; the keys are what it means. */
function KeysField({ label, hint, keys, onKeys }: { label: string; hint: string; keys: string[]; onKeys: (keys: string[]) => void }) {
  const [typed, setTyped] = useState(keys.join(", "));
  const text = JSON.stringify(splitKeys(typed)) === JSON.stringify(keys) ? typed : keys.join(", ");
  return (
    <Field label={label} hint={t("prompts.hintSeparateSeveralWithCommas", { hint })}>
      {(control) => (
        <Input
          {...control}
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            onKeys(splitKeys(event.target.value));
          }}
        />
      )}
    </Field>
  );
}
