import { ChevronLeft, ChevronRight } from "lucide-react";

import { IconButton } from "./Button";

interface PagerProps {
  what: string;
  /** From 1. */
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which part of a long list is shown, and the way to the others. */
export function Pager({ what, page, size, total, onPage }: PagerProps) {
  if (total === 0) return null;
  const pages = Math.ceil(total / size);
  const first = Math.min(total, (page - 1) * size + 1);
  const last = Math.min(total, page * size);
  return (
    <nav aria-label={`Pages of ${what}`} className="flex items-center justify-end gap-1 text-sm text-muted">
      <span role="status">
        {total <= size ? `${total} in all` : `${first} to ${last} of ${total.toLocaleString("en-GB")}`}
      </span>
      {pages > 1 && (
        <>
          <IconButton
            icon={ChevronLeft}
            label="Previous page"
            disabledBecause={page <= 1 && "This is the first page."}
            onClick={() => onPage(page - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label="Next page"
            disabledBecause={page >= pages && "This is the last page."}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
    </nav>
  );
}
