import { t } from "@/lib/i18n";
import { useRemembered } from "@/lib/remembered";

import type { ReactNode } from "react";

/** Where there is no room beside the values: the page comes from below, and its handle puts it away. */
export function PaperBelow({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useRemembered("paper.below", true);
  return (
    <section aria-label={t("common.thePage")} data-flows className="flex shrink-0 flex-col border-t bg-surface shadow-float low:sticky low:bottom-0 low:z-20">
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className="flex h-7 shrink-0 items-center justify-center gap-2 text-xs text-muted">
        <span aria-hidden className="h-1 w-10 rounded-full bg-line-strong" />
        {isOpen ? t("common.hideThePage") : t("common.showThePage")}
      </button>
      {isOpen && <div className="flex h-[40dvh] min-h-0 flex-col">{children}</div>}
    </section>
  );
}
