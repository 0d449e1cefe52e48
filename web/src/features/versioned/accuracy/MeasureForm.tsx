import { Gauge } from "lucide-react";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Progress } from "@/components/Progress";
import { useMeasureEstimate, useMeasuring } from "@/lib/api/accuracy";
import type { AccuracyRun, Measure, MeasureEstimate } from "@/lib/api/accuracy";
import { t } from "@/lib/i18n";
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
  if (error) return <ErrorNote what={t("accuracy.whatItWouldCostIsNot")} error={error} onRetry={() => void refetch()} />;
  if (!estimate) return <Loading what={t("common.theEstimate")} />;
  if (estimate.verified === 0) return <p className="text-muted">{t("accuracy.nothingOfThisPromptIsVerified")}</p>;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        {children}
        <Field label={t("common.documents")} className="w-56">
          {(control) => (
            <Select {...control} value={most ?? ""} onChange={(event) => setMost(event.target.value ? Number(event.target.value) : null)}>
              <option value="">{t("accuracy.allVerifiedThatAreVerified", { verified: estimate.verified })}</option>
              {LIMITS.filter((limit) => limit < estimate.verified || limit === most).map((limit) => (
                <option key={limit} value={limit}>
                  {t("accuracy.theLimitVerifiedLast", { limit })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button
          variant="primary"
          icon={Gauge}
          busy={start.isPending && t("common.starting")}
          disabledBecause={blocked}
          onClick={() => start.mutate(body, { onSuccess: onStarted })}
        >
          {t("accuracy.verbOnCountVerifiedDocument", { verb, documents: estimate.documents })}
        </Button>
      </div>
      <p role="status" className="text-sm text-muted">
        {t("accuracy.costsNoResultIsChanged", { costs: costs(estimate) })}
      </p>
      {start.error && <ErrorNote what={t("accuracy.nothingWasStarted")} error={start.error} onDismiss={() => start.reset()} />}
    </div>
  );
}

function costs({ pages, credits, model }: MeasureEstimate): string {
  return credits ? t("accuracy.countPageAboutCountCreditWith", { pages, credits, model }) : t("accuracy.countPageNoCreditsWithModel", { pages, model });
}

/** How far a run is, and the way to stop it. */
export function MeasureProgress({ run }: { run: AccuracyRun }) {
  const { stop } = useMeasuring();
  const far = run.failed ? t("accuracy.doneOfCountDocumentMeasuredFailed", { done: run.done, total: run.total, failed: run.failed }) : t("accuracy.doneOfCountDocumentMeasured", { done: run.done, total: run.total });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <Progress className="min-w-0 flex-1" label={run.state === "waiting" ? t("accuracy.farWaitsReason", { far, reason: run.reason ?? "" }) : far} value={run.done + run.failed} max={run.total} />
        <Button small busy={stop.isPending && t("common.stopping")} onClick={() => stop.mutate(run.id)}>
          {t("common.stop")}
        </Button>
      </div>
      {stop.error && <ErrorNote what={t("accuracy.theRunWasNotStopped")} error={stop.error} onDismiss={() => stop.reset()} />}
    </div>
  );
}
