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
