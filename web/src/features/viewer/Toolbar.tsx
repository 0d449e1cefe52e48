import { ChevronDown, ChevronUp, Minus, PanelLeft, Plus, Printer, RotateCw, Search } from "lucide-react";
import { useEffect, useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuSeparator } from "@/components/Menu";
import { t } from "@/lib/i18n";

import { stepped } from "./layout";

import type { Zoom } from "./layout";

const PERCENTS = [0.5, 0.75, 1, 1.25, 1.5, 2];

interface ToolbarProps {
  page: number;
  pageCount: number;
  onPage: (page: number) => void;
  zoom: Zoom;
  /** How large pages are shown now, whatever the zoom is called. */
  factor: number;
  onZoom: (zoom: Zoom) => void;
  onRotate: () => void;
  onFind: () => void;
  onPrint: () => void;
  /** The strip of small pages, where there is one. */
  strip?: { isShown: boolean; onToggle: () => void };
}

export function Toolbar(props: ToolbarProps) {
  const { page, pageCount, onPage, zoom, factor, onZoom, onRotate, onFind, onPrint, strip } = props;
  const percent = `${Math.round(factor * 100)}%`;
  return (
    <div
      role="toolbar"
      aria-label={t("viewer.documentView")}
      className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto border-b bg-surface px-2"
    >
      {strip && (
        <IconButton small icon={PanelLeft} label={t("viewer.smallPages")} aria-pressed={strip.isShown} onClick={strip.onToggle} />
      )}
      <IconButton
        small
        icon={ChevronUp}
        label={t("common.previousPage")}
        disabledBecause={page <= 1 && t("viewer.thisIsTheFirstPage")}
        onClick={() => onPage(page - 1)}
      />
      <PageJump page={page} pageCount={pageCount} onPage={onPage} />
      <IconButton
        small
        icon={ChevronDown}
        label={t("common.nextPage")}
        disabledBecause={page >= pageCount && t("viewer.thisIsTheLastPage")}
        onClick={() => onPage(page + 1)}
      />
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <IconButton small icon={Minus} label={t("viewer.smaller")} onClick={() => onZoom(stepped(factor, -1))} />
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t("viewer.zoomPercent", { percent })}
            className="h-7 min-w-12 shrink-0 rounded-md px-1 text-sm hover:bg-hover"
          >
            {percent}
          </button>
        }
      >
        <MenuItem checked={zoom === "width"} onSelect={() => onZoom("width")}>
          {t("viewer.fitTheWidth")}
        </MenuItem>
        <MenuItem checked={zoom === "page"} onSelect={() => onZoom("page")}>
          {t("viewer.fitThePage")}
        </MenuItem>
        <MenuSeparator />
        {PERCENTS.map((value) => (
          <MenuItem key={value} checked={zoom === value} onSelect={() => onZoom(value)}>
            {value * 100}%
          </MenuItem>
        ))}
      </Menu>
      <IconButton small icon={Plus} label={t("viewer.larger")} onClick={() => onZoom(stepped(factor, 1))} />
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <IconButton small icon={RotateCw} label={t("viewer.rotatePages")} onClick={onRotate} />
      <IconButton small icon={Search} label={t("viewer.findInTheDocument")} onClick={onFind} />
      <IconButton small icon={Printer} label={t("viewer.print")} onClick={onPrint} className="max-sm:hidden" />
    </div>
  );
}

function PageJump({ page, pageCount, onPage }: Pick<ToolbarProps, "page" | "pageCount" | "onPage">) {
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  return (
    <form
      className="flex shrink-0 items-center gap-1 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Number.parseInt(typed, 10);
        if (wanted) onPage(wanted);
        else setTyped(String(page));
      }}
    >
      <input
        aria-label={t("viewer.page")}
        inputMode="numeric"
        className="h-6 w-10 rounded-sm border border-line bg-surface text-center"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(String(page))}
      />
      <span className="text-muted">{t("viewer.ofPageCount", { pageCount })}</span>
    </form>
  );
}
