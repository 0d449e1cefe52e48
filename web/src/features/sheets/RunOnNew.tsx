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
import { t } from "@/lib/i18n";

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
      label={t("sheets.runOnNewDocuments")}
      align="end"
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open && !isUnderWay(run))}
      trigger={
        <Button icon={Play} disabledBecause={isUnderWay(run) && t("sheets.thePromptIsBeingRun")}>
          {t("sheets.runOnNew")}
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        <Select aria-label={t("sheets.onWhichDocuments")} value={tagId} onChange={(event) => setTagId(event.target.value)}>
          <option value="">{t("common.allDocuments")}</option>
          {tags.map((tag) => (
            <option key={tag.id} value={tag.id}>
              {t("sheets.documentsTaggedName", { name: tag.name })}
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
        <Button small busy={stop.isPending && t("common.stopping")} onClick={() => stop.mutate(run.id)}>
          {t("common.stop")}
        </Button>
        {stop.error && <ErrorNote what={t("sheets.theRunWasNotStopped")} error={stop.error} />}
      </div>
    );
  }
  if (run.state === "done" && run.failed === 0) return null;
  return (
    <ErrorNote
      className="m-2"
      what={run.failed ? t("sheets.theRunEndedWithCountResult", { done: run.done, total: run.total, failed: run.failed }) : t("sheets.theRunEndedWithCountResultOf", { done: run.done, total: run.total })}
      error={run.reason ?? t("sheets.aPersonStoppedItWhatHas")}
      onDismiss={() => setDismissed(run.id)}
    />
  );
}

function told(run: PromptRun): string {
  const far = run.failed ? t("sheets.doneOfCountDocumentDoneFailed", { done: run.done, total: run.total, failed: run.failed }) : t("sheets.doneOfCountDocumentDone", { done: run.done, total: run.total });
  return run.state === "waiting" ? t("sheets.farWaitsReason", { far, reason: run.reason ?? "" }) : far;
}
