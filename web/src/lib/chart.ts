import { scaleLinear, scalePoint, scaleBand } from "d3-scale";
import { line } from "d3-shape";

/** One value of a chart. */
export interface Point {
  key: string;
  /** Under the chart, and in the table beside it: "3 Nov". */
  label: string;
  value: number;
}

export interface Placed<P extends Point> {
  point: P;
  /** The middle of the point, and the width of its bar. */
  x: number;
  y: number;
  width: number;
  /** Whether there is room for its label. */
  named: boolean;
}

export interface Drawing<P extends Point> {
  placed: Placed<P>[];
  levels: { value: number; y: number }[];
  /** The line through the points. */
  path: string;
}

interface Room {
  kind: "bars" | "line";
  width: number;
  height: number;
  /** The room that a label takes. */
  label: number;
}

const FEW_LEVELS = 2;
const GAP = 0.3;
const WIDEST_BAR = 40;

/** Where the points of a chart lie. Bars begin at zero; a line of shares that are all high gets more of the height. */
export function drawn<P extends Point>(points: readonly P[], { kind, width, height, label }: Room): Drawing<P> {
  const values = points.map((point) => point.value);
  const highest = Math.max(kind === "line" ? 1 : 0, ...values);
  const lowest = Math.min(0, ...values);
  const floor = kind === "line" ? Math.max(0, Math.floor(Math.min(1, ...values) * 10 - 1) / 10) : lowest;
  const y = scaleLinear([floor, highest > floor ? highest : floor + 1], [height, 0]);
  if (kind === "bars") y.nice(FEW_LEVELS);
  const names = points.map((point) => point.key);
  const bands = scaleBand(names, [0, width]).padding(GAP);
  const places = scalePoint(names, [0, width]).padding(points.length > 1 ? 0 : 1);
  const every = Math.max(1, Math.ceil((points.length * label) / width));
  const placed = points.map((point, index) => ({
    point,
    x: kind === "bars" ? (bands(point.key) ?? 0) + bands.bandwidth() / 2 : (places(point.key) ?? 0),
    y: y(point.value),
    width: Math.min(bands.bandwidth(), WIDEST_BAR),
    named: index % every === 0,
  }));
  const path = line<Placed<P>>(({ x }) => x, (one) => one.y)(placed) ?? "";
  return { placed, levels: y.ticks(FEW_LEVELS).map((value) => ({ value, y: y(value) })), path };
}
