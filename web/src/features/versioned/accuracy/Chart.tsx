import type { AccuracyRun } from "@/lib/api/accuracy";
import { percent } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useIsNarrow } from "@/lib/width";

import { isScored, pointsOf, versionWords } from "./figures";


const HEIGHT = 120;
const [WIDE, NARROW] = [640, 250];
const [LEFT, TOP, RIGHT, BOTTOM] = [52, 12, 24, 24];
/** The room that the name of a version takes. */
const NAME = 56;

interface ChartProps {
  /** Newest first. */
  runs: readonly AccuracyRun[];
  chosen: string | null;
}

/** How right the values were, from run to run. The same figures stand in the table below it. */
export function Chart({ runs, chosen }: ChartProps) {
  const width = useIsNarrow() ? NARROW : WIDE;
  const scored = runs.filter(isScored);
  if (scored.length < 2) return null;
  const { points, lowest } = pointsOf(scored, width, HEIGHT);
  const [first, last] = [points[0]?.run, points.at(-1)?.run];
  const said = t("accuracy.accuracyOverCountRunsFromF1", { count: points.length, f1: percent(first?.score.f1), f12: percent(last?.score.f1) });
  // As many names as fit beside one another.
  const every = Math.ceil((points.length * NAME) / width);
  return (
    <svg role="img" aria-label={said} width={LEFT + width + RIGHT} height={TOP + HEIGHT + BOTTOM} className="max-w-full text-xs">
      <g transform={`translate(${LEFT} ${TOP})`}>
        {[1, (1 + lowest) / 2, lowest].map((level, index) => (
          <g key={level} transform={`translate(0 ${(index * HEIGHT) / 2})`}>
            <line x2={width} className="stroke-line" />
            <text x={-8} dy="0.35em" textAnchor="end" className="fill-muted">
              {percent(level)}
            </text>
          </g>
        ))}
        <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} fill="none" strokeWidth={2} className="stroke-accent" />
        {points.map(({ x, y, run }, index) => (
          <g key={run.id} transform={`translate(${x} 0)`}>
            <circle cy={y} r={run.id === chosen ? 6 : 4} strokeWidth={2} className={run.is_draft ? "fill-surface stroke-accent" : "fill-accent stroke-accent"}>
              <title>{`${versionWords(run)}, ${run.model}: ${percent(run.score.f1)}`}</title>
            </circle>
            {index % every === 0 && (
              <text y={HEIGHT + 18} textAnchor="middle" className="fill-muted">
                {run.is_draft ? t("accuracy.draft") : `v${run.prompt_version}`}
              </text>
            )}
          </g>
        ))}
      </g>
    </svg>
  );
}
