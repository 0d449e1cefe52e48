import { useEffect, useRef, useState } from "react";

import { drawn } from "@/lib/chart";
import type { Point } from "@/lib/chart";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { Button } from "./Button";
import { Table, Td, Th, Tr } from "./Table";

const [TOP, RIGHT, BOTTOM] = [10, 14, 22];
const LABEL = 56;
const FIRST_WIDTH = 320;

export interface ChartPoint extends Point {
  /** A larger dot. */
  chosen?: boolean;
  /** A dot that is not filled. */
  hollow?: boolean;
}

interface ChartProps {
  kind: "bars" | "line";
  /** What it shows; also names the table. */
  title: string;
  /** Read to whoever cannot see it. */
  told: string;
  /** The headings of the table: of the labels, and of the values. */
  heads: readonly [string, string];
  points: readonly ChartPoint[];
  write: (value: number) => string;
  height?: number;
  /** The room for the numbers at the side; 0 leaves them out. */
  left?: number;
  /** Whether the reader can look at the numbers as a table; false where one stands beside the chart anyway. */
  tabled?: boolean;
}

/** Bars or a line; the same numbers as a table for screen readers, and for whoever asks for it. */
export function Chart({ kind, title, told, heads, points, write, height = 120, left = 44, tabled = true }: ChartProps) {
  const [isTable, setIsTable] = useState(false);
  const [frame, full] = useWidth();
  const width = Math.max(60, full - left - RIGHT);
  const { placed, levels, path } = drawn(points, { kind, width, height, label: LABEL });
  const rows = (
    <>
      <thead>
        <tr>
          <Th>{heads[0]}</Th>
          <Th className="text-right">{heads[1]}</Th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <Tr key={point.key}>
            <Td>{point.label}</Td>
            <Td className="text-right">{write(point.value)}</Td>
          </Tr>
        ))}
      </tbody>
    </>
  );
  return (
    <figure ref={frame} className="relative flex min-w-0 flex-col gap-1">
      {!isTable && (
        <svg role="img" aria-label={told} width={full} height={TOP + height + BOTTOM} className="block max-w-full overflow-visible text-[11px] tabular-nums">
          <g transform={`translate(${left} ${TOP})`}>
            {left > 0 &&
              levels.map(({ value, y }) => (
                <g key={value} transform={`translate(0 ${y})`}>
                  <line x2={width} className="stroke-line" />
                  <text x={-8} dy="0.35em" textAnchor="end" className="fill-muted">
                    {write(value)}
                  </text>
                </g>
              ))}
            {kind === "line" && <path d={path} fill="none" strokeWidth={2} className="stroke-accent" />}
            {placed.map(({ point, x, y, width: wide, named }) => (
              <g key={point.key} transform={`translate(${x} 0)`}>
                <title>{`${point.label}: ${write(point.value)}`}</title>
                {kind === "bars" ? (
                  <>
                    <rect x={-wide / 2} width={wide} height={height} className="fill-transparent" />
                    <rect x={-wide / 2} y={Math.min(y, height - (point.value ? 2 : 0))} width={wide} height={Math.max(height - y, point.value ? 2 : 0)} rx={2} className="fill-accent" />
                  </>
                ) : (
                  <circle cy={y} r={point.chosen ? 6 : 4} strokeWidth={2} className={cx("stroke-accent", point.hollow ? "fill-surface" : "fill-accent")} />
                )}
                {named && (
                  <text y={height + 16} textAnchor="middle" className="fill-muted">
                    {point.label}
                  </text>
                )}
              </g>
            ))}
          </g>
        </svg>
      )}
      {tabled && (isTable ? <Table label={title}>{rows}</Table> : <div className="sr-only"><table aria-label={title}>{rows}</table></div>)}
      {tabled && left > 0 && (
        <div>
          <Button small variant="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? t("home.showAsAChart") : t("home.showAsATable")}
          </Button>
        </div>
      )}
    </figure>
  );
}

/** How wide the element is that it is tied to. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    if (!frame.current) return;
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, width] as const;
}
