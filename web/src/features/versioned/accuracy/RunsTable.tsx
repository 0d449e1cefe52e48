import { RelativeTime } from "@/components/RelativeTime";
import { Table, Td, Th, Tr } from "@/components/Table";
import { isMeasuring } from "@/lib/api/accuracy";
import type { AccuracyRun } from "@/lib/api/accuracy";
import { cx } from "@/lib/cx";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";

import { versionWords } from "./figures";

interface RunsTableProps {
  runs: readonly AccuracyRun[];
  chosen: string | null;
  onChoose: (runId: string) => void;
}

const STATES: Partial<Record<AccuracyRun["state"], string>> = {
  get running() { return t("accuracy.running"); },
  get waiting() { return t("accuracy.waits"); },
  get stopped() { return t("accuracy.stopped"); },
  get failed() { return t("accuracy.failed"); },
};

/** Every run with its score; one is chosen to be looked at. */
export function RunsTable({ runs, chosen, onChoose }: RunsTableProps) {
  return (
    <Table label={t("accuracy.runs")}>
      <thead>
        <tr>
          <Th>{t("accuracy.runColumn")}</Th>
          <Th className="text-right">{t("common.accuracy")}</Th>
          <Th className="text-right">{t("accuracy.documentsRight")}</Th>
          <Th className="max-sm:hidden">{t("common.model")}</Th>
          <Th className="text-right max-md:hidden">{t("common.credits")}</Th>
          <Th>{t("common.when")}</Th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Tr key={run.id} className={cx(run.id === chosen && "bg-accent-soft")}>
            <Td>
              <button
                type="button"
                aria-pressed={run.id === chosen}
                className="rounded-sm text-left font-medium whitespace-nowrap underline-offset-2 hover:underline"
                onClick={() => onChoose(run.id)}
              >
                {versionWords(run)}
                {STATES[run.state] && <span className="font-normal text-muted"> ({STATES[run.state]})</span>}
              </button>
            </Td>
            <Td className="text-right">{percent(run.score.f1)}</Td>
            <Td className="text-right">
              {t("accuracy.documentsRightOfValue", { documentsRight: run.documents_right, value: isMeasuring(run) ? run.total : run.done })}
            </Td>
            <Td className="font-mono text-xs max-sm:hidden">{run.model}</Td>
            <Td className="text-right max-md:hidden">{run.credits}</Td>
            <Td className="text-muted">
              <RelativeTime date={run.created_at} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
