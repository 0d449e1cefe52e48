import { isOver } from "@/lib/agent/events";
import type { TurnFold } from "@/lib/agent/fold";
import { plural } from "@/lib/format";

import { modelWords } from "./OptionMenus";

const number = (value: number): string => value.toLocaleString("en-GB");

/** What a turn took: always one line, so that nothing moves when it ends. */
export function TurnFooter({ turn }: { turn: TurnFold }) {
  const { usage } = turn;
  const parts = [modelWords(turn.model)];
  if (isOver(turn.status)) parts.push(plural(turn.step, "step"));
  if (usage.input || usage.output) parts.push(`${number(usage.input)} tokens in, ${number(usage.output)} out`);
  if (usage.credits) parts.push(plural(usage.credits, "credit"));
  if (usage.cost) parts.push(`$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`);
  return <p className="mb-4 text-xs text-muted">{parts.join(" · ")}</p>;
}
