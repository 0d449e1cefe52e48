import { useId } from "react";

import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { useStraightThrough } from "@/lib/api/accuracy";
import type { StraightThrough } from "@/lib/api/accuracy";
import { useNameOf } from "@/lib/api/members";
import { percent, plural } from "@/lib/format";
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
        Straight through
      </h2>
      {error && <ErrorNote what="The shares cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the shares" />}
      {data && <Shares data={data} />}
      {data && <Wish key={data.precision} data={data} onDecide={decide.mutate} />}
      {decide.error && <ErrorNote what="Could not save this." error={decide.error} onDismiss={() => decide.reset()} />}
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
            ["of the values", values] as const,
            ["of the documents", documents] as const,
          ].map(([what, share]) => (
            <div key={what} className="flex flex-col">
              <dt className="text-sm text-muted">{what}</dt>
              <dd className="order-first text-xl font-medium">{percent(share.share)}</dd>
              {share.precision !== null && (
                <dd className="text-sm text-muted">
                  from a confidence of {percent(share.threshold)} on; {percent(share.precision)} of it was right
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      <p>{data.remark}</p>
      <p className="text-sm text-muted">
        Measured on {plural(data.verified_values, "verified value")} in {plural(data.verified_documents, "document")}; {plural(data.needed_values, "value")} needed at this precision.
        {data.auto_verified > 0 && ` ${plural(data.auto_verified, "document")} went on without a person.`}
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
  const hint = adminsOnly || "Off until you switch it on. A value that went on by itself never counts as verified by a person.";
  return (
    <div className="flex flex-col gap-2">
      <Field label="Target precision, in percent" hint="Target precision for unreviewed values.">
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
        label="Release documents that reach it without review"
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
      <summary>Who decided what</summary>
      <ul className="pt-1 text-muted">
        {data.history.map((one) => (
          <li key={one.at}>
            {nameOf(one.by)}: {one.auto_verify ? "on" : "off"}, at {percent(one.precision)}, <RelativeTime date={one.at} />
          </li>
        ))}
      </ul>
    </details>
  );
}
