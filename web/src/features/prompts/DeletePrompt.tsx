import { useNavigate } from "@tanstack/react-router";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import type { Prompt } from "@/lib/api/prompts";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { useDeletePrompt } from "./usePrompts";

export function DeletePrompt({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const remove = useDeletePrompt();
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  return (
    <section aria-label={`Delete ${prompt.name}?`} className="flex flex-wrap items-center gap-2 border-b bg-canvas px-4 py-3">
      {remove.error ? (
        <ErrorNote className="flex-1" what="The prompt is still here." error={remove.error} onDismiss={onClose} />
      ) : (
        <>
          <p>Delete the prompt {prompt.name} with all its versions?</p>
          <Button
            small
            variant="danger"
            autoFocus
            busy={remove.isPending && "Deleting"}
            onClick={() =>
              remove.mutate(prompt.prompt_id, {
                onSuccess: () => {
                  toast(`Deleted the prompt ${prompt.name}.`);
                  void navigate({ to: orgPath("prompts") });
                },
              })
            }
          >
            Delete prompt
          </Button>
          <Button small variant="quiet" onClick={onClose}>
            Keep
          </Button>
        </>
      )}
    </section>
  );
}
