import { ArrowDown } from "lucide-react";

import { Button } from "@/components/Button";
import { t } from "@/lib/i18n";

import { useFollowing } from "./useFollowing";

import type { ReactNode } from "react";

interface MessageListProps {
  /** The conversation that is shown. Another one is again shown from its end. */
  conversation: string | null;
  /** Changes when the user says something: then the end is shown, wherever they were. */
  sent: number;
  children: ReactNode;
}

/** Stays at the end while text arrives, until the user scrolls away; then nothing moves. */
export function MessageList({ conversation, sent, children }: MessageListProps) {
  const { frame, content, isAway, toEnd, hands } = useFollowing(`${conversation} ${sent}`);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* What is heard here only says that it was the user who scrolled. */}
      { }
      <div
        ref={frame}
        role="log"
        aria-label={t("common.conversation")}
        aria-live="off"
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...hands}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div ref={content} className="flex flex-col gap-2 px-4 pt-3 pb-4">
          {children}
        </div>
      </div>
      {isAway && (
        <Button small icon={ArrowDown} onClick={toEnd} className="!absolute bottom-2 left-1/2 -translate-x-1/2 shadow-float">
          {t("agent.toTheNewest")}
        </Button>
      )}
    </div>
  );
}
