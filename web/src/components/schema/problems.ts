import { isWithin, pathOf, stepsOf } from "@/lib/fieldPath";
import type { Step } from "@/lib/fieldPath";
import type { FieldRow } from "@/lib/schema/fields";
import type { Problem } from "@/lib/schema/problem";

export interface Told extends Problem {
  severity: "error" | "warning";
}

/** What the strict check says, errors first. */
export function allProblems(check: { errors: Problem[]; warnings: Problem[] } | undefined): Told[] {
  if (!check) return [];
  return [
    ...check.errors.map((problem) => ({ ...problem, severity: "error" as const })),
    ...check.warnings.map((problem) => ({ ...problem, severity: "warning" as const })),
  ];
}

/** The problems by the deepest field that each belongs to; those that belong to no field are under the empty text. */
export function byRow(rows: FieldRow[], problems: Told[]): Map<string, Told[]> {
  const found = new Map<string, Told[]>();
  for (const problem of problems) {
    const mine = rows.filter((row) => isWithin(problem.path, pathOf(row.path)));
    const { id } = mine.reduce<Pick<FieldRow, "id" | "path">>((best, next) => (next.path.length > best.path.length ? next : best), { id: "", path: [] });
    found.set(id, [...(found.get(id) ?? []), problem]);
  }
  return found;
}

const OFFERED = new Set<Step>(["description", "format", "enum"]);

/** Warnings about what the row itself offers (a date, choices, an empty description) are shown beside the JSON only. */
export function isShownAtRow({ severity, path }: Told): boolean {
  return severity === "error" || !OFFERED.has(stepsOf(path).at(-1) ?? "");
}
