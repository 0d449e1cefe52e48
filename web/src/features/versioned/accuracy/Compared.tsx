import { TrendingDown, TrendingUp } from "lucide-react";

import { ErrorNote, Loading } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useComparison } from "@/lib/api/accuracy";
import type { AccuracyComparison } from "@/lib/api/accuracy";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";

import { WordsLink } from "./WordsLink";
import { comparedWords, fieldWords, valueText } from "./figures";

const MOST_VALUES = 50;

/** What got better and worse from one run to another: by field, then value by value, each one click from its words. */
export function Compared({ before, after }: { before: string; after: string }) {
  const { data, error, refetch } = useComparison(before, after);
  if (error) return <ErrorNote what={t("accuracy.theRunsCannotBeCompared")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("accuracy.theComparison")} />;
  const moved = data.fields.filter((field) => field.change !== "same");
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        {t("accuracy.comparedWordsAllValuesF1BeforeF12", { comparedWords: comparedWords(data), f1: percent(data.score_before.f1), f12: percent(data.score_after.f1) })}
      </p>
      {moved.length > 0 && (
        <Table label={t("accuracy.fieldsThatGotBetterOrWorse")}>
          <thead>
            <tr>
              <Th>{t("accuracy.field")}</Th>
              <Th>{t("common.change")}</Th>
              <Th className="text-right">{t("common.before")}</Th>
              <Th className="text-right">{t("common.after")}</Th>
            </tr>
          </thead>
          <tbody>
            {moved.map((field) => (
              <Tr key={field.field}>
                <Td>{fieldWords(field.field)}</Td>
                <Td>
                  <Change change={field.change} />
                </Td>
                <Td className="text-right">{percent(field.before.f1)}</Td>
                <Td className="text-right">{percent(field.after.f1)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {data.values.length > 0 && <Values comparison={data} />}
    </div>
  );
}

function Change({ change }: { change: "better" | "worse" | "same" }) {
  if (change === "same") return <>{t("accuracy.same")}</>;
  const Icon = change === "better" ? TrendingUp : TrendingDown;
  return (
    <span className={`inline-flex items-center gap-1 ${change === "better" ? "text-good" : "text-bad"}`}>
      <Icon size={14} aria-hidden /> {change}
    </span>
  );
}

function Values({ comparison: { values, values_total: total, after } }: { comparison: AccuracyComparison }) {
  const shown = values.slice(0, MOST_VALUES);
  return (
    <>
      <Table label={t("accuracy.valuesThatOnlyOneOfThe")}>
        <thead>
          <tr>
            <Th>{t("common.document")}</Th>
            <Th>{t("accuracy.field")}</Th>
            <Th>{t("common.change")}</Th>
            <Th>{t("common.verified")}</Th>
            <Th>{t("common.before")}</Th>
            <Th>{t("common.after")}</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map((value) => (
            <Tr key={`${value.document_id} ${value.path} ${value.change}`}>
              <Td className="max-w-56">
                <WordsLink documentId={value.document_id} documentName={value.document_name} promptId={after.prompt_id} path={value.path} />
              </Td>
              <Td>{fieldWords(value.field)}</Td>
              <Td>
                <Change change={value.change} />
              </Td>
              <Td className="max-w-48 wrap-anywhere">{valueText(value.expected)}</Td>
              <Td className="max-w-48 wrap-anywhere">{valueText(value.before)}</Td>
              <Td className="max-w-48 wrap-anywhere">{valueText(value.after)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {total > shown.length && <p className="text-sm text-muted">{t("accuracy.countMoreValueNotShownHere", { total: total - shown.length })}</p>}
    </>
  );
}
