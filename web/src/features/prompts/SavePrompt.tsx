import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
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

/** What will be different, before it is. */
export function SavePrompt({ promptId, editing, onSaved, onClose }: SavePromptProps) {
  const { values, before, base } = editing;
  const save = useSavePrompt(promptId);
  const { data: prompts = [] } = useAllPrompts();
  const same = promptId === null ? prompts.find((item) => item.name === values.name.trim()) : undefined;
  const onlyName = promptId !== null && sameValues({ ...values, name: before.name }, before);
  const action = promptId === null ? (same ? `Save as version ${same.prompt_version + 1}` : "Create prompt") : onlyName ? "Rename prompt" : "Save version";
  return (
    <section aria-label="Before saving" className="flex max-h-[50dvh] flex-col gap-3 overflow-y-auto border-b bg-canvas px-4 py-3">
      {same && <p>There is a prompt “{same.name}” already. Saving makes this its version {same.prompt_version + 1}.</p>}
      <PromptDiff label="What changes" before={same ? valuesOf(same) : before} after={values} />
      {save.error && <ErrorNote what="Nothing was saved; what you typed is still here." error={save.error} />}
      <div className="flex gap-2">
        <Button variant="primary" autoFocus busy={save.isPending && "Saving"} onClick={() => save.mutate(bodyOf(values, base), { onSuccess: onSaved })}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Keep editing
        </Button>
      </div>
    </section>
  );
}
