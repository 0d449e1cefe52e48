import { locale } from "@/lib/i18n";

export interface Day {
  /** 2026-11-15 */
  date: string;
  credits: number;
  calls: number;
}

/** The last days up to today, also those on which nothing happened. */
export function lastDays(count: number, today: Date = new Date()): string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - (count - 1 - index)));
    return day.toISOString().slice(0, 10);
  });
}

export function filled(days: string[], groups: { key: string; spus: number; calls: number }[]): Day[] {
  const found = new Map(groups.map((group) => [group.key.slice(0, 10), group]));
  return days.map((date) => ({ date, credits: found.get(date)?.spus ?? 0, calls: found.get(date)?.calls ?? 0 }));
}

/** A round number at or above the highest value, so that the axis reads well: 1, 2, 5, 10, 20, 50... */
export function roundTop(highest: number): number {
  if (highest <= 1) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= highest) ?? 10;
  return step * magnitude;
}

export function shortDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
}
