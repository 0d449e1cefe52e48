import { isOver } from "@/lib/agent/events";
import type { TurnFold } from "@/lib/agent/fold";
import { locale, t } from "@/lib/i18n";

import { modelWords } from "./OptionMenus";

const number = (value: number): string => value.toLocaleString(locale());

/** What a turn took: always one line, so that nothing moves when it ends. */
export function TurnFooter({ turn }: { turn: TurnFold }) {
  const { usage } = turn;
  const parts = [modelWords(turn.model)];
  if (isOver(turn.status)) parts.push(t("agent.countStep2", { step: turn.step }));
  if (usage.input || usage.output) parts.push(t("agent.numberTokensInNumber2Out", { number: number(usage.input), number2: number(usage.output) }));
  if (usage.credits) parts.push(t("agent.countCredit", { credits: usage.credits }));
  if (usage.cost) parts.push(`$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`);
  return <p className="mb-4 text-xs text-muted">{parts.join(" · ")}</p>;
}
