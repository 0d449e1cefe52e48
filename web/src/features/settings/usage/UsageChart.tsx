import { useState } from "react";

import { Button } from "@/components/Button";
import { Table, Td, Th, Tr } from "@/components/Table";
import { locale, t } from "@/lib/i18n";

import { roundTop, shortDay } from "./days";

import type { Day } from "./days";

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 40;
const BOTTOM = 22;
const TOP = 8;

/** Credits by day as bars; the same as a table for whoever prefers numbers. */
export function UsageChart({ days }: { days: Day[] }) {
  const [isTable, setIsTable] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      {isTable ? <AsTable days={days} /> : <Bars days={days} />}
      <div>
        <Button small variant="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? t("usage.showAsAChart") : t("usage.showAsATable")}
        </Button>
      </div>
    </div>
  );
}

function Bars({ days }: { days: Day[] }) {
  const total = days.reduce((sum, day) => sum + day.credits, 0);
  const highest = days.reduce((most, day) => (day.credits > most.credits ? day : most), days[0] ?? { date: "", credits: 0, calls: 0 });
  const top = roundTop(highest.credits);
  const step = (WIDTH - LEFT) / days.length;
  const floor = HEIGHT - BOTTOM;
  const y = (value: number): number => floor - (value / top) * (floor - TOP);
  const every = Math.ceil(days.length / 6);
  const told = total
    ? t("usage.creditsByDayCountCreditIn", { total, count: days.length, shortDay: shortDay(highest.date), credits: highest.credits })
    : t("usage.creditsByDayNoneInCount", { count: days.length });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told} className="h-auto w-full">
      {[0, top / 2, top].map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className="stroke-line" strokeWidth={1} />
          <text x={LEFT - 6} y={y(value) + 4} textAnchor="end" className="fill-muted text-[11px]">
            {Number.isInteger(value) ? value.toLocaleString(locale()) : ""}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <g key={day.date}>
          <title>{t("usage.shortDayCountCreditCountCall", { shortDay: shortDay(day.date), credits: day.credits, calls: day.calls })}</title>
          <rect x={LEFT + index * step} y={TOP} width={step} height={floor - TOP} className="fill-transparent" />
          {day.credits > 0 && (
            <rect
              x={LEFT + index * step + step * 0.15}
              y={y(day.credits)}
              width={Math.min(step * 0.7, 40)}
              height={Math.max(1, floor - y(day.credits))}
              rx={2}
              className="fill-accent"
            />
          )}
          {index % every === 0 && (
            <text x={LEFT + index * step + 2} y={HEIGHT - 6} className="fill-muted text-[11px]">
              {shortDay(day.date)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function AsTable({ days }: { days: Day[] }) {
  const used = days.filter((day) => day.calls > 0 || day.credits > 0).reverse();
  if (!used.length) return <p className="text-muted">{t("usage.noUsageInThisPeriod")}</p>;
  return (
    <Table label={t("usage.creditsByDay")}>
      <thead>
        <tr>
          <Th>{t("usage.day")}</Th>
          <Th className="text-right">{t("common.credits")}</Th>
          <Th className="text-right">{t("usage.calls")}</Th>
        </tr>
      </thead>
      <tbody>
        {used.map((day) => (
          <Tr key={day.date}>
            <Td>{shortDay(day.date)}</Td>
            <Td className="text-right">{day.credits.toLocaleString(locale())}</Td>
            <Td className="text-right">{day.calls.toLocaleString(locale())}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
