import type { Result } from "@/lib/api/results";
import { valueAt } from "@/lib/fieldPath";

import { inputsOf, withValue } from "./formio";

import type { Component, Values } from "./formio";

interface Source {
  promptRevId?: string;
  promptName?: string;
  schemaFieldPath?: string;
}

/** How one component is filled: from one field, or from several, joined. */
export interface FieldMapping {
  sources?: Source[];
  mappingType?: string;
  concatenationSeparator?: string;
}

/** What the extraction knows of a form's fields, by the form's mapping. Only keys that the form has, only values that exist. */
export function prefilled(components: readonly Component[], mapping: unknown, results: readonly Result[]): Values {
  let values: Values = {};
  const byKey = (mapping ?? {}) as Record<string, FieldMapping | undefined>;
  for (const component of inputsOf(components)) {
    const rule = byKey[component.key ?? ""];
    const found = (rule?.sources ?? []).map((source) => sourceValue(source, results)).filter(isThere);
    if (!rule || !found.length) continue;
    const value = found.length > 1 && rule.mappingType !== "direct" ? found.map(asText).join(rule.concatenationSeparator ?? " ") : found[0];
    values = withValue(values, component.key ?? "", fitted(component, value));
  }
  return values;
}

/** By the very revision of the prompt, else by its name: a newer version fills the same form. */
function sourceValue({ promptRevId, promptName, schemaFieldPath }: Source, results: readonly Result[]): unknown {
  const result = results.find((item) => item.prompt_revid === promptRevId) ?? results.find((item) => item.prompt_name === promptName);
  return result && schemaFieldPath ? filledFrom(result.updated_llm_result, schemaFieldPath) : undefined;
}

/** Forms of DocRouter write positions in brackets; those of version 0.3.0 write any name as it is. */
function filledFrom(data: Record<string, unknown>, path: string): unknown {
  return valueAt(data, path.replace(/\[(\d+)\]/g, ".$1")) ?? data[path];
}

function fitted({ type }: Component, value: unknown): unknown {
  if (type === "checkbox") return value === true || value === "true";
  if (type === "number" || type === "currency") {
    const number = typeof value === "string" ? Number(value.replace(/[^\d.-]/g, "")) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : value;
  }
  if (type === "datagrid" || type === "editgrid" || type === "selectboxes") return value;
  return asText(value);
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
