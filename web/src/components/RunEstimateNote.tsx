import type { RunEstimate } from "@/lib/api/promptRuns";
import { plural } from "@/lib/format";

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
      {!estimate && !error && <Loading what="the estimate" />}
      {estimate && (
        <p role="status" className="text-sm">
          {estimate.documents
            ? `${plural(estimate.documents, "document")} without a result, ${plural(estimate.pages, "page")}, ${costs(estimate)}.`
            : "Every document has a result."}
          {estimate.unread > 0 && ` ${plural(estimate.unread, "document")} without text left out.`}
        </p>
      )}
      {error !== null && error !== undefined && <ErrorNote what="Nothing was started." error={error} />}
      <Button
        variant="primary"
        busy={isStarting && "Starting"}
        disabledBecause={!estimate?.documents && (estimate ? "There is nothing to run." : "Wait for the estimate.")}
        onClick={onStart}
      >
        Run on {plural(estimate?.documents ?? 0, "document")}
      </Button>
    </div>
  );
}

function costs({ credits, model }: RunEstimate): string {
  return credits ? `about ${plural(credits, "credit")} with ${model}` : `no credits with ${model}`;
}
