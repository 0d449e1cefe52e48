import type { PointedPlace } from "@/lib/pointing";

import type { Table } from "./tree";

/** The rows of a table as the result holds them. */
export function rowsOf(table: Table): Record<string, unknown>[] {
  return table.rows.map((row) => Object.fromEntries(row.map((leaf): [string, unknown] => [leaf.path.split(".").at(-1) ?? "", leaf.value])));
}

/** The places of rows that come after so many others in the list at a path. */
export function shiftedPlaces(places: readonly PointedPlace[], path: string, by: number): PointedPlace[] {
  return places.map((place) => {
    const [row, ...rest] = place.path.slice(path.length + 1).split(".");
    return { ...place, path: [path, Number(row) + by, ...rest].join(".") };
  });
}
