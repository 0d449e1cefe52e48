import type { HomeKind, Measured } from "@/lib/api/home";
import type { Point } from "@/lib/chart";
import { shortMonth } from "@/lib/days";
import { locale } from "@/lib/i18n";

/** The share of a kind's documents in which nothing is to be checked. */
export function sureShare({ documents, to_check }: Pick<HomeKind, "documents" | "to_check">): number | null {
  return documents ? (documents - to_check) / documents : null;
}

/** What a kind comes to in each month, the months without documents included. */
export function monthsOf({ months, amount }: Pick<HomeKind, "months" | "amount">): Point[] {
  const values = new Map(months.map((month) => [month.month, amount ? (month.amount ?? 0) : month.documents]));
  const [first, last] = [months[0]?.month, months.at(-1)?.month];
  if (!first || !last) return [];
  return monthsBetween(first, last).slice(-MOST_MONTHS).map((month) => ({ key: month, label: shortMonth(month), value: values.get(month) ?? 0 }));
}

const MOST_MONTHS = 12;

function monthsBetween(first: string, last: string): string[] {
  const number = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
  const from = Math.max(number(first), number(last) - MOST_MONTHS + 1);
  return Array.from({ length: number(last) - from + 1 }, (_, index) => {
    const month = from + index;
    return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}

/** What the months that are shown come to. */
export function totalOf(kind: HomeKind): number {
  return monthsOf(kind).reduce((sum, point) => sum + point.value, 0);
}

export function amountText(value: number, currency: string | null): string {
  const text = value.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return currency ? `${text}\u00a0${currency}` : text;
}

export interface Accuracies {
  promptId: string;
  name: string;
  points: Point[];
}

/** How right each prompt was from version to version: the last measurement of each. */
export function accuraciesOf(runs: readonly Measured[]): Accuracies[] {
  const prompts = new Map<string, Map<number, Measured>>();
  for (const run of runs) {
    if (run.f1 === null) continue;
    const versions = prompts.get(run.prompt_id) ?? new Map<number, Measured>();
    prompts.set(run.prompt_id, versions.set(run.prompt_version, run));
  }
  return [...prompts].map(([promptId, versions]) => {
    const ordered = [...versions.values()].toSorted((one, other) => one.prompt_version - other.prompt_version);
    return {
      promptId,
      name: ordered.at(-1)?.prompt_name ?? "",
      points: ordered.map((run) => ({ key: `${run.prompt_version}`, label: `v${run.prompt_version}`, value: run.f1 ?? 0 })),
    };
  });
}
