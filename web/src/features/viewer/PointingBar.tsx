import { X } from "lucide-react";
import { useEffect } from "react";

import { IconButton } from "@/components/Button";
import { messageOf } from "@/lib/api/errors";
import type { usePointingAt } from "@/lib/pointing";
import { isTyping, useListedShortcuts } from "@/lib/shortcuts";

/** Says over the pages what can be pointed at, for which field, and how to leave it. */
export function PointingBar({ pointing }: { pointing: ReturnType<typeof usePointingAt> }) {
  const { wish, error, isAsking, leave } = pointing;
  useListedShortcuts([{ keys: "Escape", does: "Leave pointing at the page", group: "Document view" }]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTyping(event)) leave();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  });
  if (!wish) return null;
  const how = wish.isTable ? "Drag over the rows of the table to take them for" : "Click a word, or drag over words, to take them for";
  return (
    <div className="flex items-center gap-2 border-b bg-accent-soft px-3 py-1 text-sm">
      <p role="status" className="min-w-0 flex-1">
        {error ? <span className="text-bad">{messageOf(error)}</span> : isAsking ? "Reading the words" : <>{how} <span className="font-medium">{wish.label}</span>.</>}
      </p>
      <IconButton small icon={X} label="Leave pointing (Esc)" onClick={leave} />
    </div>
  );
}
