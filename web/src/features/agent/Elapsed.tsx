import { useEffect, useState } from "react";

import { duration } from "@/lib/agent/words";

const TICK_MS = 100;

/** Time since it was first shown, counting. */
export function Elapsed() {
  const [from] = useState(() => Date.now());
  const [now, setNow] = useState(from);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <span className="tabular-nums">{duration(now - from)}</span>;
}
