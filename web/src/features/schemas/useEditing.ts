import { useState } from "react";

import type { Schema } from "@/lib/api/schemas";
import { forgetUnsaved, recallUnsaved, useKeptUnsaved } from "@/lib/drafts";
import { useOrganization } from "@/lib/organization";

import { draftOf, typed } from "./model/draft";
import { emptyFormat, withWireName, wireName } from "./model/edits";
import { getAt, sameJson } from "./model/json";

import type { Draft } from "./model/draft";
import type { JsonObject } from "./model/json";

interface Kept {
  text: string;
  name: string;
}

/** The version that is being changed; without one, a schema that does not exist yet. */
interface Base {
  revid: string | null;
  version: number;
  name: string;
  format: JsonObject;
}

/** What is being edited, kept through reloads until it is saved, and in step with versions that others save. */
export function useEditing(schemaId: string | null, newest: Schema | null) {
  const { id } = useOrganization();
  const key = `schema.${id}.${schemaId ?? "new"}`;
  const [unsaved] = useState(() => recallUnsaved<Kept>(key));
  const [base, setBase] = useState<Base>(() => baseOf(newest));
  const [draft, setDraft] = useState<Draft>(() => {
    const start = draftOf(base.format);
    return unsaved ? typed(start, unsaved.value.text) : start;
  });
  const [name, setName] = useState(unsaved?.value.name ?? base.name);
  const [restoredAt, setRestoredAt] = useState(unsaved?.at ?? null);

  const formatChanged = draft.problem !== null || !sameJson(draft.format, base.format);
  const isDirty = formatChanged || name !== base.name || Object.keys(draft.names).length > 0;
  useKeptUnsaved<Kept>(key, isDirty ? { text: draft.text, name } : null, base.revid);

  const isBehind = newest !== null && newest.schema_revid !== base.revid && newest.schema_version > base.version;
  const restart = (from: Schema | null): void => {
    const next = baseOf(from);
    setBase(next);
    setDraft({ ...draftOf(next.format), past: draft.past });
    setName(next.name);
    setRestoredAt(null);
  };
  if (isBehind && !isDirty) restart(newest);

  const rename = (next: string): void => {
    setName(next);
    // A new schema is called the same for providers, until somebody gives it another name there.
    const wire = getAt(draft.format, ["json_schema", "name"]);
    if (schemaId === null && draft.problem === null && (wire === wireName(name) || wire === "document")) {
      const format = withWireName(draft.format, wireName(next));
      setDraft({ ...draft, format, text: JSON.stringify(format, null, 2) });
    }
  };
  return {
    base,
    draft,
    setDraft,
    name,
    rename,
    isDirty,
    formatChanged,
    /** Somebody saved a version after the one that this began from. */
    isBehind: isBehind && isDirty,
    restoredAt: isDirty ? restoredAt : null,
    /** Forget what was typed. */
    discard: () => restart(newest),
    /** Take what was saved as the new beginning. */
    saved: (schema: Schema) => {
      restart(schema);
      forgetUnsaved(key);
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;

function baseOf(schema: Schema | null): Base {
  if (!schema) return { revid: null, version: 0, name: "", format: emptyFormat() };
  return {
    revid: schema.schema_revid,
    version: schema.schema_version,
    name: schema.name,
    format: schema.response_format,
  };
}
