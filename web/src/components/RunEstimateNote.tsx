import type { RunEstimate } from "@/lib/api/promptRuns";
import { t } from "@/lib/i18n";

import { Button } from "./Button";
import { ErrorNote, Loading } from "./Notes";

interface RunEstimateNoteProps {
  estimate: RunEstimate | undefined;
  /** Why there is no estimate, or why the run did not start. */
  error: unknown;
  isStarting: boolean;
  onStart: () => void;
}

/** What a run would be about and cost, and the button that starts it. */
export function RunEstimateNote({ estimate, error, isStarting, onStart }: RunEstimateNoteProps) {
  return (
    <div className="flex flex-col gap-2">
      {!estimate && !error && <Loading what={t("common.theEstimate")} />}
      {estimate && (
        <p role="status" className="text-sm">
          {estimate.documents
            ? t("components.countDocumentWithoutAResultCount", { documents: estimate.documents, pages: estimate.pages, costs: costs(estimate) })
            : t("components.everyDocumentHasAResult")}
          {estimate.unread > 0 && t("components.countDocumentWithoutTextLeftOut", { unread: estimate.unread })}
        </p>
      )}
      {error !== null && error !== undefined && <ErrorNote what={t("components.nothingWasStarted")} error={error} />}
      <Button
        variant="primary"
        busy={isStarting && t("common.starting")}
        disabledBecause={!estimate?.documents && (estimate ? t("components.thereIsNothingToRun") : t("components.waitForTheEstimate"))}
        onClick={onStart}
      >
        {t("components.runOnCountDocument", { documents: estimate?.documents ?? 0 })}
      </Button>
    </div>
  );
}

function costs({ credits, model }: RunEstimate): string {
  return credits ? t("components.aboutCountCreditWithModel", { credits, model }) : t("components.noCreditsWithModel", { model });
}
