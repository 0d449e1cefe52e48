import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";

/** Who gave a value, and what others say instead. */
export interface Voiced {
  voice?: "rules" | "network" | "both" | "memory" | "model";
  rivals?: unknown[];
}

const LONGEST_QUOTED = 60;

/** Which voice found a value, in a sentence; nothing of other models and of older results. */
export function whoFound(grounding: Voiced | null): string {
  switch (grounding?.voice) {
    case "both":
      return t("extraction.rulesAndTheNetworkOfThe");
    case "network":
      return t("extraction.foundByTheNetworkOfThe", { instead: instead("rules", grounding.rivals) });
    case "rules":
      return t("extraction.foundByRulesOfTheBuilt", { instead: instead(t("extraction.theNetwork"), grounding.rivals) });
    case "memory":
      return t("extraction.foundAsInVerifiedDocumentsOf", { instead: instead(t("extraction.theModelItself"), grounding.rivals) });
    case "model":
      return grounding.rivals?.length
        ? t("extraction.foundByTheModel", { instead: instead(t("extraction.theBuiltInModel"), grounding.rivals) })
        : t("extraction.theModelAndTheBuiltInAgree");
    default:
      return "";
  }
}

function instead(voice: string, rivals: unknown[] = []): string {
  const [rival] = rivals;
  if (typeof rival !== "string" && typeof rival !== "number") return "";
  const text = String(rival);
  return text.length > LONGEST_QUOTED ? "" : t("extraction.readByVoiceAsText", { voice, text: quoted(text) });
}
