import { ChevronDown, ChevronUp, X } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Input } from "@/components/Field";
import { t } from "@/lib/i18n";

import { MOST_HITS } from "./find";

import type { Find } from "./useFind";

/** Text to find, how often it is there, and the way from one place to the next. */
export function FindBar({ find }: { find: Find }) {
  const none = find.hits.length ? false : t("viewer.thereIsNothingToGoTo");
  return (
    <div role="search" className="flex flex-wrap items-center gap-1 border-b bg-surface px-2 py-1">
      <Input
        aria-label={t("viewer.findInTheDocument")}
        placeholder={t("viewer.findInTheDocument")}
        className="!h-7 max-w-64 flex-1"
        autoFocus
        value={find.typed}
        onChange={(event) => find.type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === "Escape") find.close();
          else if (event.key === "Enter" && event.shiftKey) find.previous();
          else if (event.key === "Enter") find.next();
        }}
      />
      <span role="status" className="min-w-16 px-1 text-sm text-muted">
        {find.progress ?? (find.typed.trim() ? told(find) : "")}
      </span>
      <IconButton small icon={ChevronUp} label={t("viewer.previousPlace")} disabledBecause={none} onClick={find.previous} />
      <IconButton small icon={ChevronDown} label={t("viewer.nextPlace")} disabledBecause={none} onClick={find.next} />
      <IconButton small icon={X} label={t("viewer.closeTheSearch")} className="ml-auto" onClick={find.close} />
    </div>
  );
}

function told(find: Find): string {
  const count = find.hits.length;
  return count ? (count < MOST_HITS ? t("viewer.positionOfCount", { position: find.position + 1, count }) : t("viewer.positionOfCountOrMore", { position: find.position + 1, count })) : t("common.notFound");
}
