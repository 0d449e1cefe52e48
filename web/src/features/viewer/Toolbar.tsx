import { ChevronDown, ChevronUp, Minus, PanelLeft, Plus, Printer, RotateCw, Search } from "lucide-react";
import { useEffect, useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuSeparator } from "@/components/Menu";

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
      aria-label="Document view"
      className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto border-b bg-surface px-2"
    >
      {strip && (
        <IconButton small icon={PanelLeft} label="Small pages" aria-pressed={strip.isShown} onClick={strip.onToggle} />
      )}
      <IconButton
        small
        icon={ChevronUp}
        label="Previous page"
        disabledBecause={page <= 1 && "This is the first page."}
        onClick={() => onPage(page - 1)}
      />
      <PageJump page={page} pageCount={pageCount} onPage={onPage} />
      <IconButton
        small
        icon={ChevronDown}
        label="Next page"
        disabledBecause={page >= pageCount && "This is the last page."}
        onClick={() => onPage(page + 1)}
      />
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <IconButton small icon={Minus} label="Smaller" onClick={() => onZoom(stepped(factor, -1))} />
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`Zoom, ${percent}`}
            className="h-7 min-w-12 shrink-0 rounded-md px-1 text-sm hover:bg-hover"
          >
            {percent}
          </button>
        }
      >
        <MenuItem checked={zoom === "width"} onSelect={() => onZoom("width")}>
          Fit the width
        </MenuItem>
        <MenuItem checked={zoom === "page"} onSelect={() => onZoom("page")}>
          Fit the page
        </MenuItem>
        <MenuSeparator />
        {PERCENTS.map((value) => (
          <MenuItem key={value} checked={zoom === value} onSelect={() => onZoom(value)}>
            {value * 100}%
          </MenuItem>
        ))}
      </Menu>
      <IconButton small icon={Plus} label="Larger" onClick={() => onZoom(stepped(factor, 1))} />
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <IconButton small icon={RotateCw} label="Rotate pages" onClick={onRotate} />
      <IconButton small icon={Search} label="Find in the document" onClick={onFind} />
      <IconButton small icon={Printer} label="Print" onClick={onPrint} className="max-sm:hidden" />
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
        aria-label="Page"
        inputMode="numeric"
        className="h-6 w-10 rounded-sm border border-line bg-surface text-center"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(String(page))}
      />
      <span className="text-muted">of {pageCount}</span>
    </form>
  );
}
