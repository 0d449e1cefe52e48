import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

import { IconButton } from "@/components/Button";

import type { ReactNode } from "react";

const NEAR = 96;

interface MessageListProps {
  /** The conversation that is shown. Another one is again shown from its end. */
  conversation: string | null;
  /** Changes when the user says something: then the end is shown, wherever they were. */
  sent: number;
  children: ReactNode;
}

/** Stays at the end while text arrives, unless the user has scrolled away; then nothing moves. */
export function MessageList({ conversation, sent, children }: MessageListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAway, setIsAway] = useState(false);

  const toEnd = useCallback(() => {
    isStuck.current = true;
    setIsAway(false);
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, []);
  useLayoutEffect(toEnd, [toEnd, conversation, sent]);
  useEffect(() => {
    const [outer, inner] = [frame.current, content.current];
    if (!outer || !inner) return;
    const observer = new ResizeObserver(() => {
      const active = document.activeElement;
      // A card that the user works on stays in sight, whatever grows around it.
      if (active && inner.contains(active) && active.closest("[data-waiting-card]")) active.scrollIntoView({ block: "nearest" });
      else if (isStuck.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={frame}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // What scrolls must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isStuck.current = scrollHeight - scrollTop - clientHeight < NEAR;
          setIsAway(!isStuck.current);
        }}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div ref={content} className="flex flex-col gap-2 px-4 pt-3 pb-4">
          {children}
        </div>
      </div>
      {isAway && (
        <IconButton small variant="plain" icon={ArrowDown} label="To the end" onClick={toEnd} className="!absolute right-1 bottom-1 shadow-float" />
      )}
    </div>
  );
}
