import { Play } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { Popover } from "@/components/Popover";
import { RunEstimateNote } from "@/components/RunEstimateNote";
import { useRunChanges, useRunEstimate } from "@/lib/api/promptRuns";
import { useAllPrompts } from "@/lib/api/prompts";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

interface RunPromptOnProps {
  documentIds: string[];
  disabledBecause: string | null | false;
}

/** Runs one prompt on the selected documents that have no result of it yet. */
export function RunPromptOn({ documentIds, disabledBecause }: RunPromptOnProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [promptId, setPromptId] = useState("");
  const { data: prompts = [] } = useAllPrompts();
  const chosen = promptId || (prompts[0]?.prompt_id ?? "");
  const selection = { document_ids: documentIds };
  const estimate = useRunEstimate(chosen, selection, isOpen);
  const { start } = useRunChanges(chosen);
  return (
    <Popover
      label={t("documents.runAPromptOnTheSelected")}
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open && !disabledBecause)}
      trigger={
        <Button small icon={Play} disabledBecause={disabledBecause || (!prompts.length && t("documents.thereIsNoPromptYet"))}>
          {t("common.runAPrompt")}
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        <Select aria-label={t("common.prompt")} value={chosen} onChange={(event) => setPromptId(event.target.value)}>
          {prompts.map((prompt) => (
            <option key={prompt.prompt_id} value={prompt.prompt_id}>
              {prompt.name}
            </option>
          ))}
        </Select>
        <RunEstimateNote
          estimate={estimate.data}
          error={start.error ?? estimate.error}
          isStarting={start.isPending}
          onStart={() =>
            start.mutate(selection, {
              onSuccess: () => {
                setIsOpen(false);
                toast(t("documents.thePromptIsBeingRunIts"));
              },
            })
          }
        />
      </div>
    </Popover>
  );
}
