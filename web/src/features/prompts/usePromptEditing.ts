import { useState } from "react";

import type { Prompt } from "@/lib/api/prompts";
import { forgetUnsaved, recallUnsaved, useKeptUnsaved } from "@/lib/drafts";
import { useOrganization } from "@/lib/organization";

import { EMPTY, sameValues, valuesOf } from "./values";

import type { PromptValues } from "./values";

/** What is being edited, kept through reloads until it is saved, and in step with versions that others save. */
export function usePromptEditing(promptId: string | null, newest: Prompt | null) {
  const { id } = useOrganization();
  const key = `prompt.${id}.${promptId ?? "new"}`;
  const [unsaved] = useState(() => recallUnsaved<PromptValues>(key));
  const [base, setBase] = useState<Prompt | null>(newest);
  const before = base ? valuesOf(base) : EMPTY;
  const [values, setValues] = useState<PromptValues>(unsaved ? { ...EMPTY, ...unsaved.value } : before);
  const [restoredAt, setRestoredAt] = useState(unsaved?.at ?? null);
  const isDirty = !sameValues(values, before);
  useKeptUnsaved(key, isDirty ? values : null, base?.prompt_revid ?? null);
  const restart = (from: Prompt | null): void => {
    setBase(from);
    setValues(from ? valuesOf(from) : EMPTY);
    setRestoredAt(null);
  };
  const isBehind = newest !== null && base !== null && newest.prompt_version > base.prompt_version;
  if (isBehind && !isDirty) restart(newest);
  return {
    base,
    before,
    values,
    change: (part: Partial<PromptValues>) => setValues((all) => ({ ...all, ...part })),
    isDirty,
    isBehind: isBehind && isDirty,
    restoredAt: isDirty ? restoredAt : null,
    discard: () => restart(newest),
    saved: (prompt: Prompt) => {
      restart(prompt);
      forgetUnsaved(key);
    },
  };
}

export type PromptEditing = ReturnType<typeof usePromptEditing>;
