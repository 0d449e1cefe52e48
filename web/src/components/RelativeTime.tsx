import { useEffect, useState } from "react";

import { fullTime, relativeTime } from "@/lib/time";

const EVERY_MS = 30_000;

/** When something happened, in words that stay true; the exact time is the hint. */
export function RelativeTime({ date }: { date: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const then = new Date(date);
  return (
    <time dateTime={date} title={fullTime(then)} className="whitespace-nowrap">
      {relativeTime(then, now)}
    </time>
  );
}
