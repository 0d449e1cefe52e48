import { locale, t } from "@/lib/i18n";


const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "just now", "4 min ago", "3 h ago", "yesterday", then the date. */
export function relativeTime(then: Date, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - then.getTime()) / 1000);
  if (seconds < 45) return t("lib.justNow");
  if (seconds < HOUR) return t("lib.valueMinAgo", { value: Math.max(1, Math.round(seconds / MINUTE)) });
  if (seconds < DAY && now.getDate() === then.getDate()) return t("lib.secondsHAgo", { seconds: Math.round(seconds / HOUR) });
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (then.toDateString() === yesterday.toDateString()) return t("lib.yesterday");
  const sameYear = then.getFullYear() === now.getFullYear();
  return then.toLocaleDateString(locale(), { day: "numeric", month: "short", year: sameYear ? undefined : "numeric" });
}

export function fullTime(then: Date): string {
  return then.toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** How long something is still kept: "5 days left". */
export function timeLeft(until: Date, now: Date = new Date()): string {
  const days = Math.floor((until.getTime() - now.getTime()) / 1000 / DAY);
  return days < 1 ? t("lib.lessThanADayLeft") : t("lib.countDayLeft", { days });
}
