import { below, stepsOf } from "@/lib/fieldPath";
import type { PointedPlace } from "@/lib/pointing";

import type { Table } from "./tree";

/** The rows of a table as the result holds them. */
export function rowsOf(table: Table): Record<string, unknown>[] {
  return table.rows.map((row) => Object.fromEntries(row.map((leaf): [string, unknown] => [String(stepsOf(leaf.path).at(-1) ?? ""), leaf.value])));
}

/** The places of rows that come after so many others in the list at a path. */
export function shiftedPlaces(places: readonly PointedPlace[], path: string, by: number): PointedPlace[] {
  return places.map((place) => {
    const [row, ...rest] = stepsOf(place.path).slice(stepsOf(path).length);
    return { ...place, path: below(path, Number(row) + by, ...rest) };
  });
}
