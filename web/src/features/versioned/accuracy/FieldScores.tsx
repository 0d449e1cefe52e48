import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, useState } from "react";

import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useAccuracyErrors } from "@/lib/api/accuracy";
import type { AccuracyReport, FieldScore } from "@/lib/api/accuracy";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";

import { WordsLink } from "./WordsLink";
import { fieldWords, valueText } from "./figures";

const MARKS: Record<string, string> = { get near() { return t("accuracy.nearlyTheSame"); }, get wrong() { return t("accuracy.wrong"); }, get missed() { return t("accuracy.missed"); }, get extra() { return t("accuracy.tooMuch"); } };

/** How right a run was, field by field; a field opens to show what it got wrong. */
export function FieldScores({ report }: { report: AccuracyReport }) {
  const [open, setOpen] = useState<string | null>(null);
  const fields = [...report.fields].sort((one, other) => (one.f1 ?? 1) - (other.f1 ?? 1));
  return (
    <Table label={t("accuracy.accuracyByField")}>
      <thead>
        <tr>
          <Th>{t("accuracy.field")}</Th>
          <Th className="text-right">{t("common.accuracy")}</Th>
          <Th className="text-right max-sm:hidden">{t("accuracy.ofWhatItGave")}</Th>
          <Th className="text-right max-sm:hidden">{t("accuracy.ofWhatIsThere")}</Th>
          <Th className="text-right">{t("accuracy.right")}</Th>
          <Th>{t("accuracy.notRight")}</Th>
        </tr>
      </thead>
      <tbody>
        {fields.map((score) => (
          <Fragment key={score.field}>
            <FieldRow score={score} isOpen={open === score.field} onToggle={() => setOpen(open === score.field ? null : score.field)} />
            {open === score.field && (
              <tr>
                <td colSpan={6} className="border-b bg-canvas px-3 py-2">
                  <Errors runId={report.run.id} promptId={report.run.prompt_id} field={score.field} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function FieldRow({ score, isOpen, onToggle }: { score: FieldScore; isOpen: boolean; onToggle: () => void }) {
  const faults = (["wrong", "near", "missed", "extra"] as const).filter((kind) => score[kind] > 0).map((kind) => `${score[kind]} ${MARKS[kind]}`);
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <Tr>
      <Td className="font-medium">{fieldWords(score.field)}</Td>
      <Td className="text-right">{percent(score.f1)}</Td>
      <Td className="text-right text-muted max-sm:hidden">{percent(score.precision)}</Td>
      <Td className="text-right text-muted max-sm:hidden">{percent(score.recall)}</Td>
      <Td className="text-right">{score.right}</Td>
      <Td>
        {faults.length ? (
          <button type="button" aria-expanded={isOpen} className="inline-flex items-center gap-1 rounded-sm px-1 text-left text-bad hover:bg-hover" onClick={onToggle}>
            <Icon size={14} aria-hidden className="shrink-0" /> {faults.join(", ")}
            <span className="sr-only">{t("accuracy.ofField", { field: fieldWords(score.field) })}</span>
          </button>
        ) : (
          <span className="px-1 text-muted">{t("accuracy.nothing")}</span>
        )}
      </Td>
    </Tr>
  );
}

function Errors({ runId, promptId, field }: { runId: string; promptId: string; field: string }) {
  const { data, error } = useAccuracyErrors(runId, field);
  if (error) return <ErrorNote what={t("accuracy.theErrorsCannotBeShown")} error={error} />;
  if (!data) return <p role="status">{t("accuracy.loadingWhatItGotWrong")}</p>;
  return (
    <>
      <ul aria-label={t("accuracy.whatItGotWrongOfField", { field: fieldWords(field) })} className="flex flex-col gap-1 text-sm">
        {data.errors.map((one) => (
          <li key={`${one.document_id} ${one.path} ${one.mark}`} className="flex flex-wrap gap-x-3">
            <WordsLink documentId={one.document_id} documentName={one.document_name} promptId={promptId} path={one.path} />
            <span className="wrap-anywhere">
              {t("accuracy.marksVerifiedIsValueTextItGave", { marks: MARKS[one.mark], valueText: valueText(one.expected), valueText2: valueText(one.got) })}
            </span>
          </li>
        ))}
      </ul>
      {data.total_count > data.errors.length && <p className="pt-1 text-sm text-muted">{t("accuracy.countMoreNotShownHere", { totalCount: data.total_count - data.errors.length })}</p>}
    </>
  );
}
