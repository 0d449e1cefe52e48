
import { picturesLabel } from "@/components/PicturesChoice";
import type { Pictures } from "@/components/PicturesChoice";
import type { Schemas } from "@/lib/api/client";
import type { Prompt } from "@/lib/api/prompts";
import { t } from "@/lib/i18n";

import type { Editable } from "../useEditing";

/** All that can be decided about a prompt. */
export interface PromptValues {
  name: string;
  content: string;
  schemaId: string | null;
  schemaVersion: number | null;
  /** Empty: the organisation's default. */
  model: string;
  tagIds: string[];
  peerMatchKeys: string[];
  metadataKeys: string[];
  withText: boolean;
  /** Empty: as the organisation says. */
  pictures: Pictures | "";
}

/** The name that the API answers with where no model was chosen. */
const NO_CHOICE = "gpt-4o-mini";

export const EMPTY: PromptValues = {
  name: "",
  content: "",
  schemaId: null,
  schemaVersion: null,
  model: "",
  tagIds: [],
  peerMatchKeys: [],
  metadataKeys: [],
  withText: true,
  pictures: "",
};

export function valuesOf(prompt: Prompt): PromptValues {
  const wasChosen = prompt.model !== NO_CHOICE || prompt.effective_model === prompt.model;
  return {
    name: prompt.name,
    content: prompt.content,
    schemaId: prompt.schema_id,
    schemaVersion: prompt.schema_version,
    model: wasChosen ? prompt.model : "",
    tagIds: prompt.tag_ids,
    peerMatchKeys: prompt.peer_match_keys,
    metadataKeys: prompt.include.metadata_keys ?? [],
    withText: prompt.include.ocr_text,
    pictures: prompt.include.pdf ? (prompt.include.pictures ?? "") : "never",
  };
}

/** `kb_id` is not shown and goes back as it came. */
export function bodyOf(values: PromptValues, former: Prompt | null): Schemas["PromptIn"] {
  return {
    name: values.name.trim(),
    content: values.content,
    schema_id: values.schemaId,
    schema_version: values.schemaId === null ? null : values.schemaVersion,
    model: values.model || null,
    tag_ids: values.tagIds,
    kb_id: former?.kb_id ?? null,
    peer_match_keys: values.peerMatchKeys,
    include: { ocr_text: values.withText, metadata_keys: values.metadataKeys, ...sent(values.pictures) },
  };
}

/** `pdf: false` is how DocRouter says never. */
function sent(pictures: PromptValues["pictures"]) {
  return pictures === "never" ? { pdf: false } : { pdf: true, pictures: pictures || null };
}

/** Comma separated words, without empty ones and doubles. */
export function splitKeys(text: string): string[] {
  return [...new Set(text.split(",").map((word) => word.trim()).filter(Boolean))];
}

export interface Names {
  schema: (id: string) => string;
  tag: (id: string) => string;
}

/** Everything but the text, in words, for a comparison field by field. */
export function described(values: PromptValues, names: Names): Record<string, string> {
  return {
    [t("prompts.nameLabel")]: values.name,
    [t("prompts.schemaLabel")]: values.schemaId ? t("prompts.schemaVersionSchemaVersion", { schema: names.schema(values.schemaId), schemaVersion: values.schemaVersion ?? t("common.newest") }) : t("common.none"),
    [t("prompts.modelLabel")]: values.model || t("prompts.theOrganisationsDefault2"),
    [t("prompts.tagsLabel")]: values.tagIds.map(names.tag).sort().join(", ") || t("common.none"),
    [t("prompts.peerMatchKeysLabel")]: values.peerMatchKeys.join(", ") || t("common.none"),
    [t("prompts.metadataKeysLabel")]: values.metadataKeys.join(", ") || t("common.none"),
    [t("prompts.pageTextLabel")]: values.withText ? t("prompts.sent") : t("prompts.notSent"),
    [t("prompts.pageImagesLabel")]: values.pictures ? picturesLabel(values.pictures) : t("prompts.theOrganisationsDefault2"),
  };
}

export function sameValues(one: PromptValues, other: PromptValues): boolean {
  const order = (values: PromptValues): unknown => ({ ...values, tagIds: [...values.tagIds].sort() });
  return JSON.stringify(order(one)) === JSON.stringify(order(other));
}

export const EDITABLE: Editable<Prompt, PromptValues, PromptValues> = {
  valuesOf: (prompt) => (prompt ? valuesOf(prompt) : EMPTY),
  isSame: sameValues,
  keep: (values) => values,
  recall: (kept) => ({ ...EMPTY, ...kept }),
};
