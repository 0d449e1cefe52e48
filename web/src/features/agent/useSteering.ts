import { useEffect, useRef, useState } from "react";

import type { Draft } from "./MentionInput";
import type { Agent } from "./useAgent";

/** Messages sent while the agent works, until they are in the log. Those that come too late go back to the input. */
export function useSteering(agent: Agent, onUnread: (draft: Draft) => void) {
  const { current } = agent;
  const [said, setSaid] = useState<{ turnId: string; draft: Draft }[]>([]);
  const turn = agent.conversation.turns.at(-1);
  const read = turn?.blocks.flatMap((block) => (block.type === "user" && block.steered ? [block.text] : [])) ?? [];
  const waiting = said.filter((one) => one.turnId === turn?.id).map((one) => one.draft).filter((draft) => !read.includes(draft.text.trim()));
  const isOver = current === null;
  const unread = isOver ? waiting.map((draft) => draft.text).join("\n") : "";
  const giveBack = useRef<() => void>(() => undefined);
  useEffect(() => {
    giveBack.current = () => onUnread({ text: unread, chosen: waiting.flatMap((draft) => draft.chosen) });
  });
  useEffect(() => {
    if (!unread) return;
    setSaid([]);
    giveBack.current();
  }, [unread]);
  const steer = async (draft: Draft): Promise<void> => {
    if (!current) return;
    await agent.steer(current.id, draft.text.trim());
    setSaid((all) => [...all, { turnId: current.id, draft }]);
  };
  return { steered: isOver ? [] : waiting.map((draft) => draft.text.trim()), steer };
}
