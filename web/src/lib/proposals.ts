import type { Schemas } from "@/lib/api/client";
import { t } from "@/lib/i18n";


import { quoted, words } from "./format";

type Summary = Schemas["ProposalOut"]["summary"];

interface Described {
  is_new: boolean;
  reason: string | null;
  schema: { name: string } | null;
  summary: Summary;
}

/** What a proposal holds, in one line: "“Invoice”: 13 fields, 28 values, 2 to check". */
export function proposalWords({ is_new, reason, schema, summary }: Described): string {
  const values = valuesWords(summary);
  if (!schema) return t("lib.promptWithoutASchemaValues", { values });
  if (is_new) return t("lib.nameCountFieldValues", { name: quoted(schema.name), fields: summary.fields, values });
  return `${reason ?? t("lib.nameFits", { name: quoted(schema.name) })} ${values}.`;
}

/** "28 values, 2 to check". */
export function valuesWords({ values, to_check }: Summary): string {
  if (!values && !to_check) return t("lib.noValues");
  return [t("lib.countValue", { values }), to_check && t("lib.countToCheck", { count: to_check })].filter(Boolean).join(", ");
}

/** The JSON schema inside a response format; null where there is none. */
export function jsonSchemaOf(format: unknown): Record<string, unknown> | null {
  const inner = asObject(asObject(format)?.json_schema);
  return asObject(inner?.schema);
}

/** The fields of a schema at its top, as people say them; a list or a group with what is inside. */
export function fieldWords(format: unknown): string[] {
  const properties = asObject(jsonSchemaOf(format)?.properties) ?? {};
  return Object.entries(properties).map(([name, field]) => {
    const inner = asObject(asObject(asObject(field)?.items)?.properties) ?? asObject(asObject(field)?.properties);
    const names = Object.keys(inner ?? {}).map((one) => words(one).toLowerCase());
    return names.length ? `${words(name)} (${names.join(", ")})` : words(name);
  });
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}
