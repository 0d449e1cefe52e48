import { emptyTurn, fold } from "./fold";

import type { LogEvent } from "./events";
import type { TurnFold } from "./fold";

/** A turn as it stood after each event that one sees: what was said, what was tried, what came of it. */
export function framesOf(turnId: string, events: readonly LogEvent[]): TurnFold[] {
  const frames: TurnFold[] = [];
  let turn = emptyTurn(turnId);
  for (const event of events) {
    const next = fold(turn, withoutUndo(event));
    if (next.blocks !== turn.blocks || event.type === "tool_result") frames.push(next);
    turn = next;
  }
  return frames;
}

/** One looks at the past here and cannot change it. */
function withoutUndo(event: LogEvent): LogEvent {
  return event.type === "tool_result" ? { ...event, undo: null } : event;
}
