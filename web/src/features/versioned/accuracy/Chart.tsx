import type { AccuracyRun } from "@/lib/api/accuracy";
import { percent } from "@/lib/format";

import { isScored, pointsOf, versionWords } from "./figures";


const [WIDTH, HEIGHT] = [560, 120];
const [LEFT, TOP, RIGHT, BOTTOM] = [44, 12, 16, 24];

interface ChartProps {
  /** Newest first. */
  runs: readonly AccuracyRun[];
  chosen: string | null;
}

/** How right the values were, from run to run. The same figures stand in the table below it. */
export function Chart({ runs, chosen }: ChartProps) {
  const scored = runs.filter(isScored);
  if (scored.length < 2) return null;
  const { points, lowest } = pointsOf(scored, WIDTH, HEIGHT);
  const [first, last] = [points[0]?.run, points.at(-1)?.run];
  const said = `Accuracy over ${points.length} runs, from ${percent(first?.score.f1)} to ${percent(last?.score.f1)}`;
  // As many names as fit beside one another.
  const every = Math.ceil(points.length / 10);
  return (
    <svg role="img" aria-label={said} viewBox={`0 0 ${LEFT + WIDTH + RIGHT} ${TOP + HEIGHT + BOTTOM}`} className="w-full max-w-3xl text-xs">
      <g transform={`translate(${LEFT} ${TOP})`}>
        {[1, (1 + lowest) / 2, lowest].map((level, index) => (
          <g key={level} transform={`translate(0 ${(index * HEIGHT) / 2})`}>
            <line x2={WIDTH} className="stroke-line" />
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
                {run.is_draft ? "draft" : `v${run.prompt_version}`}
              </text>
            )}
          </g>
        ))}
      </g>
    </svg>
  );
}
