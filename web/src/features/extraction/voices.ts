import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";
import type { Known } from "@/lib/known";

import { sureness, taught, told } from "./grounding";

import type { Grounding } from "./grounding";

const LONGEST_QUOTED = 60;

/** All that is known of a value, in sentences. */
export function explained({ mark, known, isVerified, grounding, value }: Explained): string {
  if (mark === "written") return t("extraction.writtenByTheModelInIts");
  if (known.warning !== null) return known.warning;
  const place = told(grounding, value);
  if (known.isChecked) return `${isVerified ? t("extraction.verifiedByAPerson") : t("extraction.editedByAPerson")} ${grounding ? place : ""}`.trim();
  return [place, whoFound(grounding), taught(grounding), sureness(grounding)].filter(Boolean).join(" ");
}

interface Explained {
  mark: string;
  known: Known;
  isVerified: boolean;
  grounding: Grounding | null;
  value: unknown;
}

/** Which voice found a value, in a sentence; nothing of other models and of older results. */
export function whoFound(grounding: Grounding | null): string {
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
