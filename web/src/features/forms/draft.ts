import { t } from "@/lib/i18n";

import { isObject } from "./formio";

import type { FormFormat } from "./useForms";

/** A form to begin with: two fields, one of them filled from the default prompt. */
export const EXAMPLE: FormFormat = {
  json_formio: [
    { type: "textfield", key: "kind", get label() { return t("forms.kindOfDocument"); }, input: true },
    { type: "textarea", key: "remarks", get label() { return t("forms.remarks"); }, input: true },
  ],
  json_formio_mapping: {
    kind: { sources: [{ promptRevId: "default", promptName: "Document Summary", schemaFieldPath: "document_type" }], mappingType: "direct" },
  },
};

export function asText(format: FormFormat): string {
  const { json_formio, json_formio_mapping } = format;
  return JSON.stringify({ json_formio: json_formio ?? [], json_formio_mapping: json_formio_mapping ?? {} }, null, 2);
}

export type ParsedFormat = { format: FormFormat } | { error: string };

/** The typed JSON as a form: the two parts, or a bare list of components as Form.io's builder gives it. */
export function parsedFormat(text: string): ParsedFormat {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (reason) {
    return { error: t("forms.thisIsNotJsonValue", { value: reason instanceof Error ? reason.message : t("forms.itDoesNotParse") }) };
  }
  if (Array.isArray(value)) return checked({ json_formio: value, json_formio_mapping: {} });
  if (isObject(value) && Array.isArray(value.components)) return checked({ json_formio: value.components, json_formio_mapping: {} });
  if (!isObject(value)) return { error: t("forms.aFormIsAnObjectWith") };
  return checked(value);
}

function checked({ json_formio: components = [], json_formio_mapping: mapping = {} }: Record<string, unknown>): ParsedFormat {
  if (!Array.isArray(components)) return { error: t("forms.jsonFormioHasToBeA") };
  const broken = components.findIndex((component) => !isObject(component) || typeof component.type !== "string");
  if (broken >= 0) return { error: t("forms.componentBrokenOfJsonFormioHas", { broken: broken + 1 }) };
  if (!isObject(mapping)) return { error: t("forms.jsonFormioMappingHasToBe") };
  return { format: { json_formio: components, json_formio_mapping: mapping } as unknown as FormFormat };
}
