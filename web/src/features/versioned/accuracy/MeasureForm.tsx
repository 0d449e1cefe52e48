import { Gauge } from "lucide-react";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Progress } from "@/components/Progress";
import { useMeasureEstimate, useMeasuring } from "@/lib/api/accuracy";
import type { AccuracyRun, Measure, MeasureEstimate } from "@/lib/api/accuracy";
import { plural } from "@/lib/format";
import { useRemembered } from "@/lib/remembered";

import type { ReactNode } from "react";

const LIMITS = [5, 10, 25, 100];

interface MeasureFormProps {
  wanted: Measure;
  /** "Try" or "Measure". */
  verb: string;
  /** Why it cannot be started as it is. */
  blocked?: string | false;
  onStarted: (run: AccuracyRun) => void;
  /** What else can be chosen. */
  children?: ReactNode;
}

/** On how many verified documents, what that costs, and the button that starts it. */
export function MeasureForm({ wanted, verb, blocked = false, onStarted, children }: MeasureFormProps) {
  const [most, setMost] = useRemembered<number | null>("accuracy.most", null);
  const body = { ...wanted, limit: most };
  const { data: estimate, error, refetch } = useMeasureEstimate(body);
  const { start } = useMeasuring();
  if (error) return <ErrorNote what="What it would cost is not known." error={error} onRetry={() => void refetch()} />;
  if (!estimate) return <Loading what="the estimate" />;
  if (estimate.verified === 0) return <p className="text-muted">Nothing of this prompt is verified yet. Verify some of its results: they are what it is measured by.</p>;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        {children}
        <Field label="Documents" className="w-56">
          {(control) => (
            <Select {...control} value={most ?? ""} onChange={(event) => setMost(event.target.value ? Number(event.target.value) : null)}>
              <option value="">All {estimate.verified} that are verified</option>
              {LIMITS.filter((limit) => limit < estimate.verified || limit === most).map((limit) => (
                <option key={limit} value={limit}>
                  The {limit} verified last
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button
          variant="primary"
          icon={Gauge}
          busy={start.isPending && "Starting"}
          disabledBecause={blocked}
          onClick={() => start.mutate(body, { onSuccess: onStarted })}
        >
          {verb} on {plural(estimate.documents, "verified document")}
        </Button>
      </div>
      <p role="status" className="text-sm text-muted">
        {costs(estimate)} No result is changed.
      </p>
      {start.error && <ErrorNote what="Nothing was started." error={start.error} onDismiss={() => start.reset()} />}
    </div>
  );
}

function costs({ pages, credits, model }: MeasureEstimate): string {
  return `${plural(pages, "page")}, ${credits ? `about ${plural(credits, "credit")}` : "no credits"} with ${model}.`;
}

/** How far a run is, and the way to stop it. */
export function MeasureProgress({ run }: { run: AccuracyRun }) {
  const { stop } = useMeasuring();
  const far = `${run.done} of ${plural(run.total, "document")} measured${run.failed ? `, ${run.failed} failed` : ""}`;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <Progress className="min-w-0 flex-1" label={run.state === "waiting" ? `${far}. Waits: ${run.reason ?? ""}` : far} value={run.done + run.failed} max={run.total} />
        <Button small busy={stop.isPending && "Stopping"} onClick={() => stop.mutate(run.id)}>
          Stop
        </Button>
      </div>
      {stop.error && <ErrorNote what="The run was not stopped." error={stop.error} onDismiss={() => stop.reset()} />}
    </div>
  );
}
