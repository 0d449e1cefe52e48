import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const LOOK = {
  quiet: { frame: "bg-surface", icon: "text-muted" },
  working: { frame: "bg-surface", icon: "animate-spin text-accent" },
  warm: { frame: "border-warm-line bg-warm-soft", icon: "text-warm" },
  good: { frame: "bg-surface", icon: "text-good" },
  bad: { frame: "bg-surface", icon: "text-bad" },
} as const;

interface StripProps {
  look: keyof typeof LOOK;
  icon: LucideIcon;
  /** What there is to say. */
  children: ReactNode;
  actions?: ReactNode;
  /** What is opened below. */
  below?: ReactNode;
}

/** The line over a document that tells of its proposal. */
export function Strip({ look, icon: Icon, children, actions, below }: StripProps) {
  const { frame, icon } = LOOK[look];
  return (
    <section aria-label={t("proposals.proposal")} className={cx("shrink-0 border-b", frame)}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2 sm:px-4">
        <Icon size={16} aria-hidden className={cx("mt-1 shrink-0", icon)} />
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5 pt-0.5">{children}</div>
        {actions && <div className="flex flex-wrap items-center gap-1.5">{actions}</div>}
      </div>
      {below && (
        <div
          role="region"
          aria-label={t("proposals.moreAboutTheProposal")}
          // What scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-[45dvh] overflow-y-auto border-t bg-surface px-3 py-3 focus-visible:-outline-offset-2 sm:px-4"
        >
          {below}
        </div>
      )}
    </section>
  );
}
