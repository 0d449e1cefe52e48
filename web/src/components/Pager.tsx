import { ChevronLeft, ChevronRight } from "lucide-react";

import { t } from "@/lib/i18n";

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
    <nav aria-label={t("components.pagesOfWhat", { what })} className="flex items-center justify-end gap-1 text-sm text-muted">
      <span role="status">
        {total <= size ? t("components.totalInAll", { total }) : t("components.firstToLastOfTotal", { first, last, total })}
      </span>
      {pages > 1 && (
        <>
          <IconButton
            icon={ChevronLeft}
            label={t("common.previousPage")}
            disabledBecause={page <= 1 && t("components.thisIsTheFirstPage")}
            onClick={() => onPage(page - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label={t("common.nextPage")}
            disabledBecause={page >= pages && t("components.thisIsTheLastPage")}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
    </nav>
  );
}
