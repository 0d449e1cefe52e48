import { plural } from "./format";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "just now", "4 min ago", "3 h ago", "yesterday", then the date. */
export function relativeTime(then: Date, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - then.getTime()) / 1000);
  if (seconds < 45) return "just now";
  if (seconds < HOUR) return `${Math.max(1, Math.round(seconds / MINUTE))} min ago`;
  if (seconds < DAY && now.getDate() === then.getDate()) return `${Math.round(seconds / HOUR)} h ago`;
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (then.toDateString() === yesterday.toDateString()) return "yesterday";
  const sameYear = then.getFullYear() === now.getFullYear();
  return then.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: sameYear ? undefined : "numeric" });
}

export function fullTime(then: Date): string {
  return then.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** How long something is still kept: "5 days left". */
export function timeLeft(until: Date, now: Date = new Date()): string {
  const days = Math.floor((until.getTime() - now.getTime()) / 1000 / DAY);
  return days < 1 ? "less than a day left" : `${plural(days, "day")} left`;
}
