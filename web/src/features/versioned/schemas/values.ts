import type { Schema } from "@/lib/api/schemas";
import { draftOf, typed } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { emptyFormat, withWireName, wireName } from "@/lib/schema/edits";
import { getAt, pretty, sameJson } from "@/lib/schema/json";

import type { Editable } from "../useEditing";

/** What is edited of a schema. */
export interface SchemaValues {
  name: string;
  draft: Draft;
}

export function formatDiffers({ draft }: SchemaValues, before: SchemaValues): boolean {
  return draft.problem !== null || !sameJson(draft.format, before.draft.format);
}

/** A new schema is called the same for providers, until somebody gives it another name there. */
export function namedForProviders({ name, draft }: SchemaValues, next: string): SchemaValues {
  const wire = getAt(draft.format, ["json_schema", "name"]);
  if (draft.problem !== null || (wire !== wireName(name) && wire !== "document")) return { name: next, draft };
  const format = withWireName(draft.format, wireName(next));
  return { name: next, draft: { ...draft, format, text: pretty(format) } };
}

export const EDITABLE: Editable<Schema, SchemaValues, { text: string; name: string }> = {
  valuesOf: (schema) => ({ name: schema?.name ?? "", draft: draftOf(schema?.response_format ?? emptyFormat()) }),
  isSame: (values, before) =>
    !formatDiffers(values, before) && values.name === before.name && Object.keys(values.draft.names).length === 0,
  keep: ({ name, draft }) => ({ name, text: draft.text }),
  recall: ({ name, text }, before) => ({ name, draft: typed(before.draft, text) }),
  restart: (beginning, former) => ({ ...beginning, draft: { ...beginning.draft, past: former.draft.past } }),
};
