import { BeforeSaving } from "@/components/editor/Questions";
import { useAllPrompts } from "@/lib/api/prompts";
import type { Prompt } from "@/lib/api/prompts";

import { PromptDiff } from "./PromptDiff";
import { useSavePrompt } from "./usePrompts";
import { bodyOf, sameValues, valuesOf } from "./values";

import type { PromptEditing } from "./usePromptEditing";

interface SavePromptProps {
  promptId: string | null;
  editing: PromptEditing;
  onSaved: (prompt: Prompt) => void;
  onClose: () => void;
}

export function SavePrompt({ promptId, editing, onSaved, onClose }: SavePromptProps) {
  const { values, before, base } = editing;
  const save = useSavePrompt(promptId);
  const { data: prompts = [] } = useAllPrompts();
  const same = promptId === null ? prompts.find((item) => item.name === values.name.trim()) : undefined;
  const onlyName = promptId !== null && sameValues({ ...values, name: before.name }, before);
  const action = promptId === null ? (same ? `Save as version ${same.prompt_version + 1}` : "Create prompt") : onlyName ? "Rename prompt" : "Save version";
  return (
    <BeforeSaving
      action={action}
      isSaving={save.isPending}
      error={save.error}
      onSave={() => save.mutate(bodyOf(values, base), { onSuccess: onSaved })}
      onClose={onClose}
    >
      {same && <p>There is a prompt “{same.name}” already. Saving makes this its version {same.prompt_version + 1}.</p>}
      <PromptDiff label="What changes" before={same ? valuesOf(same) : before} after={values} />
    </BeforeSaving>
  );
}
