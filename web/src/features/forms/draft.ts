import { isObject } from "./formio";

import type { FormFormat } from "./useForms";

/** A form to begin with: two fields, one of them filled from the default prompt. */
export const EXAMPLE: FormFormat = {
  json_formio: [
    { type: "textfield", key: "kind", label: "Kind of document", input: true },
    { type: "textarea", key: "remarks", label: "Remarks", input: true },
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
    return { error: `This is not JSON: ${reason instanceof Error ? reason.message : "it does not parse"}.` };
  }
  if (Array.isArray(value)) return checked({ json_formio: value, json_formio_mapping: {} });
  if (isObject(value) && Array.isArray(value.components)) return checked({ json_formio: value.components, json_formio_mapping: {} });
  if (!isObject(value)) return { error: "A form is an object with json_formio, a list of components, and json_formio_mapping." };
  return checked(value);
}

function checked({ json_formio: components = [], json_formio_mapping: mapping = {} }: Record<string, unknown>): ParsedFormat {
  if (!Array.isArray(components)) return { error: "json_formio has to be a list of components." };
  const broken = components.findIndex((component) => !isObject(component) || typeof component.type !== "string");
  if (broken >= 0) return { error: `Component ${broken + 1} of json_formio has no type.` };
  if (!isObject(mapping)) return { error: "json_formio_mapping has to be an object: from which field each component is filled." };
  return { format: { json_formio: components, json_formio_mapping: mapping } as unknown as FormFormat };
}
