import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, useState } from "react";

import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useAccuracyErrors } from "@/lib/api/accuracy";
import type { AccuracyReport, FieldScore } from "@/lib/api/accuracy";
import { percent, plural } from "@/lib/format";

import { WordsLink } from "./WordsLink";
import { fieldWords, valueText } from "./figures";

const MARKS: Record<string, string> = { near: "nearly the same", wrong: "wrong", missed: "missed", extra: "too much" };

/** How right a run was, field by field; a field opens to show what it got wrong. */
export function FieldScores({ report }: { report: AccuracyReport }) {
  const [open, setOpen] = useState<string | null>(null);
  const fields = [...report.fields].sort((one, other) => (one.f1 ?? 1) - (other.f1 ?? 1));
  return (
    <Table label="Accuracy by field">
      <thead>
        <tr>
          <Th>Field</Th>
          <Th className="text-right">Accuracy</Th>
          <Th className="text-right max-sm:hidden">Of what it gave</Th>
          <Th className="text-right max-sm:hidden">Of what is there</Th>
          <Th className="text-right">Right</Th>
          <Th>Not right</Th>
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
            <span className="sr-only"> of {fieldWords(score.field)}</span>
          </button>
        ) : (
          <span className="px-1 text-muted">nothing</span>
        )}
      </Td>
    </Tr>
  );
}

function Errors({ runId, promptId, field }: { runId: string; promptId: string; field: string }) {
  const { data, error } = useAccuracyErrors(runId, field);
  if (error) return <ErrorNote what="The errors cannot be shown." error={error} />;
  if (!data) return <p role="status">Loading what it got wrong</p>;
  return (
    <>
      <ul aria-label={`What it got wrong of ${fieldWords(field)}`} className="flex flex-col gap-1 text-sm">
        {data.errors.map((one) => (
          <li key={`${one.document_id} ${one.path} ${one.mark}`} className="flex flex-wrap gap-x-3">
            <WordsLink documentId={one.document_id} documentName={one.document_name} promptId={promptId} path={one.path} />
            <span className="wrap-anywhere">
              {MARKS[one.mark]}: verified is {valueText(one.expected)}, it gave {valueText(one.got)}
            </span>
          </li>
        ))}
      </ul>
      {data.total_count > data.errors.length && <p className="pt-1 text-sm text-muted">{plural(data.total_count - data.errors.length, "more")} not shown here.</p>}
    </>
  );
}
