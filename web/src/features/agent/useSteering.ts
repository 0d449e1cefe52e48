import { useEffect, useRef, useState } from "react";

import type { Draft } from "./MentionInput";
import type { Agent } from "./useAgent";

/** Messages sent while the agent works, until they are in the log. Those that come too late go back to the input. */
export function useSteering(agent: Agent, onUnread: (draft: Draft) => void) {
  const { current } = agent;
  const [said, setSaid] = useState<{ turnId: string; text: string }[]>([]);
  const latest = useRef(onUnread);
  useEffect(() => {
    latest.current = onUnread;
  });
  const turn = agent.conversation.turns.at(-1);
  const read = turn?.blocks.flatMap((block) => (block.type === "user" && block.steered ? [block.text] : [])) ?? [];
  const waiting = said.filter((one) => one.turnId === turn?.id && !read.includes(one.text));
  const isOver = current === null;
  const unread = isOver ? waiting.map((one) => one.text).join("\n") : "";
  useEffect(() => {
    if (!unread) return;
    setSaid([]);
    latest.current({ text: unread, chosen: [] });
  }, [unread]);
  const steer = async (text: string): Promise<void> => {
    if (!current) return;
    await agent.steer(current.id, text);
    setSaid((all) => [...all, { turnId: current.id, text }]);
  };
  return { steered: isOver ? [] : waiting.map((one) => one.text), steer };
}
