import { useMemo, useState } from "react";

import type { Kind, Versioned } from "@/lib/api/versioned";
import { forgetUnsaved, recallUnsaved, useKeptUnsaved } from "@/lib/drafts";
import { useOrganization } from "@/lib/organization";

/** How things of a kind are edited: as values, of which a part is kept through reloads. */
export interface Editable<T, Values, Kept> {
  /** The values of a version; for null, those that a new thing begins with. */
  valuesOf: (thing: T | null) => Values;
  isSame: (values: Values, before: Values) => boolean;
  keep: (values: Values) => Kept;
  recall: (kept: Kept, before: Values) => Values;
  /** The values after a new beginning; without this function, those of the beginning. */
  restart?: (beginning: Values, former: Values) => Values;
}

/** What is being edited, kept through reloads until it is saved, and in step with versions that others save. */
export function useEditing<T extends Versioned, Body, Values, Kept>(
  kind: Kind<T, Body>,
  id: string | null,
  newest: T | null,
  { valuesOf, isSame, keep, recall, restart }: Editable<T, Values, Kept>,
) {
  const organization = useOrganization();
  const key = `${kind.noun}.${organization.id}.${id ?? "new"}`;
  const [unsaved] = useState(() => recallUnsaved<Kept>(key));
  const [base, setBase] = useState(newest);
  const before = useMemo(() => valuesOf(base), [valuesOf, base]);
  const [values, setValues] = useState(() => (unsaved ? recall(unsaved.value, before) : before));
  const [restoredAt, setRestoredAt] = useState(unsaved?.at ?? null);
  const isDirty = !isSame(values, before);
  const begun = base && kind.revisionOf(base);
  useKeptUnsaved(key, isDirty ? keep(values) : null, begun?.revid ?? null);

  const beginFrom = (thing: T | null): void => {
    const beginning = valuesOf(thing);
    setBase(thing);
    setValues((former) => restart?.(beginning, former) ?? beginning);
    setRestoredAt(null);
  };
  const isBehind = newest !== null && begun !== null && kind.revisionOf(newest).version > begun.version;
  if (isBehind && !isDirty) beginFrom(newest);
  return {
    /** The version that the changes began from; null for a thing that does not exist yet. */
    base,
    before,
    values,
    change: (part: Partial<Values>) => setValues((all) => ({ ...all, ...part })),
    isDirty,
    /** The version that somebody saved after the one that the changes began from. */
    newer: isBehind && isDirty ? newest : null,
    restoredAt: isDirty ? restoredAt : null,
    /** Forget what was typed. */
    discard: () => beginFrom(newest),
    /** Take what was saved as the new beginning. */
    saved: (thing: T) => {
      beginFrom(thing);
      forgetUnsaved(key);
    },
  };
}

export type Editing<T extends Versioned, Values> = ReturnType<typeof useEditing<T, unknown, Values, unknown>>;
