import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";

import { cx } from "@/lib/cx";

import type { ReactNode } from "react";

interface OpenableRowProps {
  /** What is seen of it while it is closed. */
  head: ReactNode;
  className?: string;
  children: ReactNode;
}

/** An item of a list: where it stands; opened, everything that can be set. */
export function OpenableRow({ head, className, children }: OpenableRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <h2 className="text-base font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-left hover:bg-canvas focus-visible:-outline-offset-2"
        >
          <Arrow size={15} aria-hidden className="shrink-0 text-muted" />
          {head}
        </button>
      </h2>
      {isOpen && (
        <div id={id} className={cx("flex flex-col px-4 pt-1 pb-4 sm:pl-10", className)}>
          {children}
        </div>
      )}
    </li>
  );
}
