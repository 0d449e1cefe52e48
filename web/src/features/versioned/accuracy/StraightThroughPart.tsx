import { useId } from "react";

import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { useStraightThrough } from "@/lib/api/accuracy";
import type { StraightThrough } from "@/lib/api/accuracy";
import { useNameOf } from "@/lib/api/members";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";

const [LEAST, MOST] = [50, 99.9];

/** What may go on without a person at the wished precision, and the administrator's switch. */
export function StraightThroughPart({ promptId }: { promptId: string }) {
  const id = useId();
  const { query, decide } = useStraightThrough(promptId);
  const { data, error, refetch } = query;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-lg border bg-surface p-3">
      <h2 id={id} className="text-base">
        {t("accuracy.straightThrough")}
      </h2>
      {error && <ErrorNote what={t("accuracy.theSharesCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("accuracy.theShares")} />}
      {data && <Shares data={data} />}
      {data && <Wish key={data.precision} data={data} onDecide={decide.mutate} />}
      {decide.error && <ErrorNote what={t("common.couldNotSaveThis")} error={decide.error} onDismiss={() => decide.reset()} />}
      {data && data.history.length > 0 && <History data={data} />}
    </section>
  );
}

function Shares({ data }: { data: StraightThrough }) {
  const { values, documents } = data;
  return (
    <>
      {values && documents && (
        <dl className="grid max-w-xl grid-cols-2 gap-2">
          {[
            [t("accuracy.ofTheValues"), values] as const,
            [t("accuracy.ofTheDocuments"), documents] as const,
          ].map(([what, share]) => (
            <div key={what} className="flex flex-col">
              <dt className="text-sm text-muted">{what}</dt>
              <dd className="order-first text-xl font-medium">{percent(share.share)}</dd>
              {share.precision !== null && (
                <dd className="text-sm text-muted">
                  {t("accuracy.fromAConfidenceOfThresholdOn", { threshold: percent(share.threshold), precision: percent(share.precision) })}
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      <p>{data.remark}</p>
      <p className="text-sm text-muted">
        {t("accuracy.measuredOnCountVerifiedValueIn", { verifiedValues: data.verified_values, verifiedDocuments: data.verified_documents, neededValues: data.needed_values })}
        {data.auto_verified > 0 && t("accuracy.countDocumentReleased", { autoVerified: data.auto_verified })}
      </p>
    </>
  );
}

interface WishProps {
  data: StraightThrough;
  onDecide: (decision: { precision: number; auto_verify: boolean }) => void;
}

function Wish({ data: { precision, auto_verify: isOn }, onDecide }: WishProps) {
  const { adminsOnly } = useRights();
  const id = useId();
  const hint = adminsOnly || t("accuracy.offUntilYouSwitchItOn");
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("accuracy.targetPrecisionInPercent")} hint={t("accuracy.targetPrecisionForUnreviewedValues")}>
        {(control) => (
          <Input
            {...control}
            type="number"
            className="w-24!"
            min={LEAST}
            max={MOST}
            step={0.1}
            readOnly={adminsOnly !== false}
            defaultValue={Math.round(precision * 1000) / 10}
            onBlur={(event) => {
              const typed = Math.round(Math.min(MOST, Math.max(LEAST, Number(event.target.value))) * 10) / 1000;
              if (!adminsOnly && Number.isFinite(typed) && typed !== precision) onDecide({ precision: typed, auto_verify: isOn });
            }}
          />
        )}
      </Field>
      <Checkbox
        label={t("accuracy.releaseDocumentsThatReachItWithout")}
        aria-describedby={id}
        aria-disabled={adminsOnly !== false}
        checked={isOn}
        onChange={(event) => !adminsOnly && onDecide({ precision, auto_verify: event.target.checked })}
      />
      <p id={id} className="text-sm text-muted">
        {hint}
      </p>
    </div>
  );
}

function History({ data }: { data: StraightThrough }) {
  const nameOf = useNameOf();
  return (
    <details className="text-sm">
      <summary>{t("accuracy.whoDecidedWhat")}</summary>
      <ul className="pt-1 text-muted">
        {data.history.map((one) => (
          <li key={one.at}>
            {one.auto_verify ? t("accuracy.byOnAtPrecision", { by: nameOf(one.by), precision: percent(one.precision) }) : t("accuracy.byOffAtPrecision", { by: nameOf(one.by), precision: percent(one.precision) })}{" "}<RelativeTime date={one.at} />
          </li>
        ))}
      </ul>
    </details>
  );
}
