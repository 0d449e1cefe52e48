import { useLayoutEffect, useRef, useState } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { Button } from "../Button";

import type { ReactNode } from "react";

/** Something long, at first only as high as fits a card. What is not seen is announced, and can be opened. */
export function CutOff({ label, children }: { label: string; children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const shown = region.current;
    if (!shown) return;
    const look = (): void => setIsCut(shown.scrollHeight > shown.clientHeight + 1);
    look();
    // The card may get narrower, and its lines more.
    const observer = new ResizeObserver(look);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [children, isOpen]);
  return (
    <>
      <div
        ref={region}
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx("overflow-y-auto", !isOpen && "max-h-72", isCut && "border-b border-line-strong")}
      >
        {children}
      </div>
      {(isCut || isOpen) && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {isOpen ? t("cards.thatIsAllOfIt") : t("cards.moreFollowsBelowThisLine")}
          <Button small variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t("cards.showLess") : t("cards.showAllOfIt")}
          </Button>
        </p>
      )}
    </>
  );
}
