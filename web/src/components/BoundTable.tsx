import { Trash2 } from "lucide-react";

import { boundTo } from "@/lib/bound";
import type { BoundNow } from "@/lib/bound";
import { shortMonth } from "@/lib/days";
import { locale, t } from "@/lib/i18n";
import { cellText, pipeTable } from "@/lib/pipeTable";
import type { PipeTable } from "@/lib/pipeTable";

import { IconButton } from "./Button";
import { Chart } from "./Chart";
import { Table, Td, Th, Tr } from "./Table";

interface BoundTableProps {
  caption: string;
  href: string;
  /** The table as it stands in the text. */
  source: string;
  known: BoundNow | null;
  /** Opens the sheet. */
  onOpen?: () => void;
  onRemove?: () => void;
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Columns of a sheet, or a chart of it, with what the sheet says now. */
export function BoundTable({ caption, href, source, known, onOpen, onRemove }: BoundTableProps) {
  const table = pipeTable(known?.now ?? source);
  const isChart = boundTo(href)?.form === "sum";
  return (
    <section aria-label={caption} className="bound flex flex-col gap-1 text-base">
      <div className="flex min-h-7 items-center gap-2">
        <p className="min-w-0 flex-1 text-sm text-muted">
          {onOpen ? (
            <button type="button" onClick={onOpen} className="rounded-sm font-medium text-accent hover:underline">
              {caption}
            </button>
          ) : (
            <span className="font-medium">{caption}</span>
          )}
          {known?.note && <span className="ml-2 text-warm">{known.note}</span>}
        </p>
        {onRemove && <IconButton small icon={Trash2} label={t("projects.removeName", { name: caption })} onClick={onRemove} />}
      </div>
      {!table ? (
        <p className="text-muted">{t("projects.thisTableIsEmpty")}</p>
      ) : isChart ? (
        <SumChart caption={caption} table={table} />
      ) : (
        <Table label={caption}>
          <thead>
            <tr>
              {table.head.map((cell, column) => (
                <Th key={column} className={table.right[column] ? "text-right" : undefined}>
                  {cellText(cell.text)}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, row) => (
              <Tr key={row}>
                {table.head.map((_, column) => (
                  <Td key={column} dir="auto" className={table.right[column] ? "text-right whitespace-nowrap tabular-nums" : undefined}>
                    {table.right[column] ? asNumber(cells[column]?.text) : cellText(cells[column]?.text ?? "")}
                  </Td>
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

function SumChart({ caption, table: { head, rows } }: { caption: string; table: PipeTable }) {
  const points = rows.map(([label, value]) => {
    const name = cellText(label?.text ?? "");
    return { key: name, label: MONTH.test(name) ? shortMonth(name) : name, value: Number(value?.text ?? 0) || 0 };
  });
  const decimals = Math.max(0, ...rows.map(([, value]) => decimalsOf(value?.text ?? "")));
  const write = (value: number): string => value.toLocaleString(locale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const heads = [cellText(head[0]?.text ?? ""), cellText(head[1]?.text ?? "")] as const;
  const told = points.map(({ label, value }) => `${label}: ${write(value)}`).join("; ");
  return <Chart kind="bars" title={caption} told={`${caption}. ${told}`} heads={heads} points={points} write={write} left={64} />;
}

function asNumber(text: string = ""): string {
  const number = Number(text);
  const decimals = decimalsOf(text);
  return text && Number.isFinite(number) ? number.toLocaleString(locale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) : cellText(text);
}

function decimalsOf(text: string): number {
  return /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
