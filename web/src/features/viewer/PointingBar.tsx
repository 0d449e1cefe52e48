import { X } from "lucide-react";
import { useEffect } from "react";

import { IconButton } from "@/components/Button";
import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";
import type { usePointingAt } from "@/lib/pointing";
import { isTyping, useListedShortcuts } from "@/lib/shortcuts";

/** Says over the pages what can be pointed at, for which field, and how to leave it. */
export function PointingBar({ pointing }: { pointing: ReturnType<typeof usePointingAt> }) {
  const { wish, error, isAsking, leave } = pointing;
  useListedShortcuts([{ keys: "Escape", does: t("viewer.leavePointingAtThePage"), group: t("viewer.documentView") }]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTyping(event)) leave();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  });
  if (!wish) return null;
  const how = wish.isTable ? t("viewer.dragOverTheRowsOfThe") : t("viewer.clickAWordOrDragOver");
  return (
    <div className="flex items-center gap-2 border-b bg-accent-soft px-3 py-1 text-sm">
      <p role="status" className="min-w-0 flex-1">
        {error ? <span className="text-bad">{messageOf(error)}</span> : isAsking ? t("viewer.readingTheWords") : <>{how} <span className="font-medium">{wish.label}</span>.</>}
      </p>
      <IconButton small icon={X} label={t("viewer.leavePointingEsc")} onClick={leave} />
    </div>
  );
}
