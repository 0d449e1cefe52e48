import { locale } from "@/lib/i18n";

import type { Point } from "./chart";

/** The last days up to today, also those on which nothing happened: 2026-11-15. */
export function lastDays(count: number, today: Date = new Date()): string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - (count - 1 - index)));
    return day.toISOString().slice(0, 10);
  });
}

/** What happened on each of these days, nothing where nothing is said of it. */
export function byDay(days: readonly string[], values: readonly (readonly [day: string, value: number])[]): Point[] {
  const found = new Map(values.map(([day, value]) => [day.slice(0, 10), value]));
  return days.map((day) => ({ key: day, label: shortDay(day), value: found.get(day) ?? 0 }));
}

export function shortDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
}

/** "Nov 26" of 2026-11. */
export function shortMonth(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale(), { month: "short", year: "2-digit", timeZone: "UTC" });
}
