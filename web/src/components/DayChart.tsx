import type { Point } from "@/lib/chart";
import { locale, t } from "@/lib/i18n";

import { Chart } from "./Chart";

interface DayChartProps {
  title: string;
  /** What is counted, as the heading of the table. */
  unit: string;
  points: readonly Point[];
  height?: number;
}

/** Something that is counted day by day, as bars. */
export function DayChart({ title, unit, points, height }: DayChartProps) {
  const total = points.reduce((sum, point) => sum + point.value, 0);
  const most = points.reduce((highest, point) => (point.value > highest.value ? point : highest), points[0] ?? { key: "", label: "", value: 0 });
  const told = total ? t("home.titleTotalMostOn", { title, total, count: points.length, day: most.label, most: most.value }) : t("home.titleNone", { title, count: points.length });
  return <Chart kind="bars" title={title} told={told} heads={[t("home.day"), unit]} points={points} write={(value) => value.toLocaleString(locale())} height={height} />;
}
