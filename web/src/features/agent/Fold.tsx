import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";

import { cx } from "@/lib/cx";

import type { ReactNode } from "react";

interface FoldProps {
  /** The one quiet line. */
  title: ReactNode;
  /** At the line's end, such as a time. */
  note?: ReactNode;
  className?: string;
  initiallyOpen?: boolean;
  children: () => ReactNode;
}

/** One quiet line that opens. What is inside is made when it is first opened. */
export function Fold({ title, note, className, initiallyOpen = false, children }: FoldProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(initiallyOpen);
  return (
    <div className={cx("min-w-0", className)}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-6 w-full min-w-0 items-center gap-1.5 rounded-sm text-left text-muted hover:text-ink"
      >
        <span className="flex min-w-0 flex-1 items-center gap-1.5">{title}</span>
        {note && <span className="shrink-0 text-xs">{note}</span>}
        <ChevronRight size={14} aria-hidden className={cx("shrink-0 transition-transform", isOpen && "rotate-90")} />
      </button>
      {isOpen && (
        <div id={id} className="mt-1 mb-2 flex flex-col gap-2 border-l-2 pl-3">
          {children()}
        </div>
      )}
    </div>
  );
}
