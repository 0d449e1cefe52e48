import { t } from "@/lib/i18n";

/** What is known of a value: three facts, and what is wrong with it. The one place that decides what they come to. */
export interface Known {
  /** Its words stand on a page. */
  isFound: boolean;
  /** How sure it is, 0..1; null where nothing says so. */
  chance: number | null;
  /** Less sure than the prompt's policy asks for. */
  isDoubtful: boolean;
  /** A person has verified or changed it. */
  isChecked: boolean;
  /** What breaks the schema, is missing or does not add up. */
  warning: string | null;
}

export type Verdict = "sure" | "check" | "checked";

/** Whether a person should look at a value, or has. What is wrong is never settled, whoever wrote it. */
export function verdictOf({ warning, isChecked, isDoubtful }: Known): Verdict {
  if (warning !== null) return "check";
  if (isChecked) return "checked";
  return isDoubtful ? "check" : "sure";
}

/** A value of less confidence is doubtful, unless the prompt's policy says otherwise. */
export const USUAL_THRESHOLD = 0.92;

export interface Tally {
  values: number;
  sure: number;
  to_check: number;
  checked: number;
}

export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const count = (wanted: Verdict): number => verdicts.filter((one) => one === wanted).length;
  return { values: verdicts.length, sure: count("sure"), to_check: count("check"), checked: count("checked") };
}

/** "412 values: 371 sure, 30 to check, 11 checked". */
export function tallyWords({ values, sure, to_check, checked }: Tally): string {
  const parts = [
    sure && t("lib.countSure", { count: sure }),
    to_check && t("lib.countToCheck", { count: to_check }),
    checked && t("lib.countChecked", { count: checked }),
  ];
  return t("lib.countValueParts", { values, parts: parts.filter(Boolean).join(", ") });
}
