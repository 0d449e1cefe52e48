import { quoted } from "@/lib/format";

import type { Grounding } from "./grounding";

const LONGEST_QUOTED = 60;

/** Which voice found a value, in a sentence; nothing of other models and of older results. */
export function whoFound(grounding: Grounding | null): string {
  switch (grounding?.voice) {
    case "both":
      return "Rules and the network of the built-in model agree on it.";
    case "network":
      return `Found by the network of the built-in model.${instead("rules", grounding.rivals)}`;
    case "rules":
      return `Found by rules of the built-in model.${instead("the network", grounding.rivals)}`;
    case "memory":
      return `Found as in verified documents of this layout.${instead("the model itself", grounding.rivals)}`;
    default:
      return "";
  }
}

function instead(voice: string, rivals: unknown[] = []): string {
  const [rival] = rivals;
  if (typeof rival !== "string" && typeof rival !== "number") return "";
  const text = String(rival);
  return text.length > LONGEST_QUOTED ? "" : ` Read by ${voice} as ${quoted(text)}.`;
}
