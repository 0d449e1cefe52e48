import { cx } from "@/lib/cx";

import type { KeyboardEvent, ReactNode, Ref } from "react";

interface CardFrameProps {
  ref?: Ref<HTMLDivElement>;
  /** What waits, for screen readers. */
  label: string;
  keys?: string;
  onKeyDown?: (event: KeyboardEvent) => void;
  className?: string;
  children: ReactNode;
}

/** The one warm thing on the page: something that waits for the user. It can have the focus, and has keys then. */
export function CardFrame({ ref, label, keys, onKeyDown, className, children }: CardFrameProps) {
  return (
    // The card takes the focus, so that its keys work at once.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={ref}
      role="group"
      aria-label={label}
      aria-keyshortcuts={keys}
      data-waiting-card
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={cx("overflow-clip rounded-lg border border-warm-line bg-surface appear", className)}
    >
      {children}
    </div>
  );
}

/** The choices at the end of a card, in view however long it is. On pages that scroll as a whole, toasts need their room below it. */
export function CardFoot({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-(--card-foot,0px) z-10 -mx-3 -mb-3 flex flex-wrap items-center gap-2 border-t bg-surface px-3 py-2 max-sm:[&_kbd]:hidden">
      {children}
    </div>
  );
}
