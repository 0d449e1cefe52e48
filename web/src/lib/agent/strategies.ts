import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

const NAMES: Record<string, string> = {
  get tools() { return t("common.tools"); },
  get react() { return t("turns.reasonAndActReAct"); },
  get "think-act"() { return t("turns.thinkThenAct"); },
  get "plan-and-execute"() { return t("turns.planFirst"); },
  get "tool-first"() { return t("turns.toolsFirst"); },
  get "llm-only"() { return t("turns.noTools"); },
};

/** A way of working as people say it; one that somebody added is named after its id. */
export function strategyName(id: string): string {
  return NAMES[id] ?? words(id);
}
