import { Play } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { Progress } from "@/components/Progress";
import { RunEstimateNote } from "@/components/RunEstimateNote";
import { isUnderWay, useNewestRun, useRunChanges, useRunEstimate } from "@/lib/api/promptRuns";
import type { PromptRun } from "@/lib/api/promptRuns";
import { useTags } from "@/lib/api/tags";
import { plural } from "@/lib/format";

/** Runs the sheet's prompt on documents that have no result yet: all of them, or those with a tag. */
export function RunOnNew({ promptId }: { promptId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [tagId, setTagId] = useState("");
  const { data: tags = [] } = useTags();
  const selection = tagId ? { tag_id: tagId } : {};
  const { data: run } = useNewestRun(promptId);
  const { start } = useRunChanges(promptId);
  const estimate = useRunEstimate(promptId, selection, isOpen);
  return (
    <Popover
      label="Run on new documents"
      align="end"
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open && !isUnderWay(run))}
      trigger={
        <Button icon={Play} disabledBecause={isUnderWay(run) && "The prompt is being run."}>
          Run on new
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        <Select aria-label="On which documents" value={tagId} onChange={(event) => setTagId(event.target.value)}>
          <option value="">All documents</option>
          {tags.map((tag) => (
            <option key={tag.id} value={tag.id}>
              Documents tagged {tag.name}
            </option>
          ))}
        </Select>
        <RunEstimateNote
          estimate={estimate.data}
          error={start.error ?? estimate.error}
          isStarting={start.isPending}
          onStart={() => start.mutate(selection, { onSuccess: () => setIsOpen(false) })}
        />
      </div>
    </Popover>
  );
}

/** How far the newest run of a prompt is; nothing once it ended well. */
export function RunLine({ promptId }: { promptId: string }) {
  const { data: run } = useNewestRun(promptId);
  const { stop } = useRunChanges(promptId);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (!run || run.id === dismissed) return null;
  if (isUnderWay(run)) {
    return (
      <div className="flex items-center gap-3 border-b bg-surface px-3 py-1.5 sm:px-4">
        <Progress className="min-w-0 flex-1" label={told(run)} value={run.done + run.failed} max={run.total} />
        <Button small busy={stop.isPending && "Stopping"} onClick={() => stop.mutate(run.id)}>
          Stop
        </Button>
        {stop.error && <ErrorNote what="The run was not stopped." error={stop.error} />}
      </div>
    );
  }
  if (run.state === "done" && run.failed === 0) return null;
  return (
    <ErrorNote
      className="m-2"
      what={`The run ended with ${plural(run.done, "result")} of ${run.total}${run.failed ? `, ${run.failed} failed` : ""}.`}
      error={run.reason ?? "A person stopped it. What has no result yet can be run again."}
      onDismiss={() => setDismissed(run.id)}
    />
  );
}

function told(run: PromptRun): string {
  const far = `${run.done} of ${plural(run.total, "document")} done${run.failed ? `, ${run.failed} failed` : ""}`;
  return run.state === "waiting" ? `${far}. Waits: ${run.reason ?? ""}` : far;
}
