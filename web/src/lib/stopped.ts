import type { Schemas } from "@/lib/api/client";
import { t } from "@/lib/i18n";


/** Says what ended with a token or session; nothing if nothing ran with it. */
export function stoppedText(stopped?: Schemas["StoppedOut"] | null): string {
  const { turns, streams } = stopped ?? { turns: 0, streams: 0 };
  const parts = [turns > 0 && t("lib.countTurn", { count: turns }), streams > 0 && t("lib.countStream", { count: streams })].filter(Boolean);
  return parts.length > 0 ? t("lib.stoppedParts", { parts: parts.join(", ") }) : "";
}
