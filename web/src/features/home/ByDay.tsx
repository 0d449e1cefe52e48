import { DayChart } from "@/components/DayChart";
import type { Home } from "@/lib/api/home";
import { byDay, lastDays } from "@/lib/days";
import { t } from "@/lib/i18n";

const DAYS = 30;

/** Pages that were uploaded and credits that were spent, day by day. */
export function ByDay({ home: { pages, credits } }: { home: Home }) {
  const days = lastDays(DAYS);
  const charts = [
    { title: t("home.pagesByDay"), unit: t("home.pages"), points: byDay(days, pages.map((day) => [day.day, day.pages])) },
    ...(credits?.length ? [{ title: t("home.creditsByDay"), unit: t("common.credits"), points: byDay(days, credits.map((day) => [day.day, day.credits])) }] : []),
  ];
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] gap-3">
      {charts.map((chart) => (
        <section key={chart.title} aria-label={chart.title} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
          <h2 className="text-base">{chart.title}</h2>
          <DayChart {...chart} />
        </section>
      ))}
    </div>
  );
}
