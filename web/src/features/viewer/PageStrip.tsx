import { useEffect, useLayoutEffect, useRef, useState } from "react";

import { usePicture } from "@/lib/api/pictures";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { CELL_HEIGHT, cellsInView, fitted, PAGES_A_STRIP, STRIP_WIDTH } from "./strip";

import type { Size } from "./geometry";
import type { KeyboardEvent } from "react";

interface PageStripProps {
  documentId: string;
  sizes: Size[];
  page: number;
  onPage: (page: number) => void;
}

/** All pages, small, one below the other: a click or the arrow keys go there. Only those in view are drawn. */
export function PageStrip({ documentId, sizes, page, onPage }: PageStripProps) {
  const strip = useRef<HTMLElement>(null);
  const [[first, last], setShown] = useState<[number, number]>([0, 0]);
  const count = sizes.length;
  useLayoutEffect(() => {
    const element = strip.current;
    if (!element) return;
    const look = (): void => {
      const next = cellsInView(element.scrollTop, element.clientHeight, count);
      setShown((old) => (old[0] === next[0] && old[1] === next[1] ? old : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [count]);
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const top = (page - 1) * CELL_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + CELL_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + CELL_HEIGHT - element.clientHeight;
  }, [page]);
  const press = (event: KeyboardEvent): void => {
    const next = { ArrowDown: page + 1, ArrowUp: page - 1, Home: 1, End: count }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onPage(Math.min(count, Math.max(1, next)));
  };
  return (
    // The strip is one control: the arrow keys move in it, as in a list.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav
      ref={strip}
      aria-label={t("viewer.pagesSmall")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={press}
      className="shrink-0 overflow-y-auto border-r bg-sunken focus-visible:-outline-offset-2"
      style={{ width: STRIP_WIDTH }}
    >
      <div className="relative" style={{ height: count * CELL_HEIGHT }}>
        {sizes.slice(first, last + 1).map((size, index) => (
          <Cell
            key={first + index}
            documentId={documentId}
            number={first + index + 1}
            size={size}
            isCurrent={first + index + 1 === page}
            onPage={onPage}
          />
        ))}
      </div>
    </nav>
  );
}

interface CellProps {
  documentId: string;
  number: number;
  size: Size;
  isCurrent: boolean;
  onPage: (page: number) => void;
}

function Cell({ documentId, number, size, isCurrent, onPage }: CellProps) {
  const { source } = usePicture(documentId, `strips/${Math.floor((number - 1) / PAGES_A_STRIP)}`);
  const { width, height, whole, offset } = fitted(size, number);
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t("viewer.goToPageNumber", { number })}
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onPage(number)}
      className="absolute inset-x-0 flex flex-col items-center justify-end gap-1 pb-1"
      style={{ top: (number - 1) * CELL_HEIGHT, height: CELL_HEIGHT }}
    >
      <span
        aria-hidden
        className={cx("block bg-paper bg-no-repeat shadow-page", isCurrent && "outline-2 outline-offset-1 outline-accent")}
        style={{
          width,
          height,
          backgroundImage: source ? `url("${source}")` : undefined,
          backgroundSize: `${whole}px auto`,
          backgroundPosition: `0 ${-offset}px`,
        }}
      />
      <span className={cx("text-xs tabular-nums", isCurrent ? "font-medium text-ink" : "text-muted")}>{number}</span>
    </button>
  );
}
