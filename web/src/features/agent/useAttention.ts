import { useEffect, useState } from "react";

import { t } from "@/lib/i18n";

const FLASH_MS = 900;
const BLINK_MS = 1000;
const BLINKS = 8;

function wantsNoMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Flashes the page softly when the agent begins to ask, and its title while nobody looks. */
export function useAttention(asking: string | null): boolean {
  const [flashes, setFlashes] = useState(false);
  useEffect(() => {
    if (asking === null || wantsNoMotion()) return;
    setFlashes(true);
    const usual = document.title;
    let blinks = 0;
    const end = setTimeout(() => setFlashes(false), FLASH_MS);
    const blink = setInterval(() => {
      blinks += 1;
      const isOn = blinks % 2 === 1 && blinks < BLINKS;
      document.title = isOn ? t("agent.theAgentAsksDocagent") : usual;
      if (blinks >= BLINKS && !document.hidden) clearInterval(blink);
    }, BLINK_MS);
    return () => {
      clearTimeout(end);
      clearInterval(blink);
      setFlashes(false);
      document.title = usual;
    };
  }, [asking]);
  return flashes;
}
