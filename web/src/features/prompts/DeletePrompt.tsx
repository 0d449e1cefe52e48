import { useNavigate } from "@tanstack/react-router";

import { BeforeDeleting } from "@/components/editor/Questions";
import type { Prompt } from "@/lib/api/prompts";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { useDeletePrompt } from "./usePrompts";

export function DeletePrompt({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const remove = useDeletePrompt();
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  const gone = (): void => {
    toast(`Deleted the prompt ${prompt.name}.`);
    void navigate({ to: orgPath("prompts") });
  };
  return (
    <BeforeDeleting
      noun="prompt"
      name={prompt.name}
      isDeleting={remove.isPending}
      error={remove.error}
      onDelete={() => remove.mutate(prompt.prompt_id, { onSuccess: gone })}
      onClose={onClose}
    />
  );
}
