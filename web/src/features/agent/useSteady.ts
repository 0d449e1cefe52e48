import { useEffect, useMemo, useRef } from "react";

import type { Agent } from "./useAgent";

/** What can be done with a turn that is shown. */
export interface TurnActions extends Pick<Agent, "decide" | "decidePlan" | "answer" | "undo"> {
  edit: (turnId: string, text: string) => void;
}

/** The same object for as long as the panel is there, so that turns which do not change are not drawn again. */
export function useSteady(actions: TurnActions): TurnActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      decide: (turnId, verdicts) => latest.current.decide(turnId, verdicts),
      decidePlan: (turnId, decision) => latest.current.decidePlan(turnId, decision),
      answer: (turnId, given) => latest.current.answer(turnId, given),
      undo: (turnId, callId) => latest.current.undo(turnId, callId),
      edit: (turnId, text) => latest.current.edit(turnId, text),
    }),
    [],
  );
}
