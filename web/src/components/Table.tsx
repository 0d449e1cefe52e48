import { ArrowDown, ArrowUp } from "lucide-react";

import { cx } from "@/lib/cx";

import type { ComponentProps, ReactNode } from "react";

/** A dense table in a frame that scrolls sideways by itself. */
export function Table({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div className={cx("overflow-x-auto rounded-lg border bg-surface", className)}>
      <table aria-label={label} className="w-full border-collapse text-left">
        {children}
      </table>
    </div>
  );
}

export type Sorting = { field: string; direction: "asc" | "desc" };

interface ThProps extends ComponentProps<"th"> {
  /** Sorts by this field when pressed. */
  field?: string;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** A control beside the heading. */
  after?: ReactNode;
}

export function Th({ field, sorting, onSort, after, children, className, ...rest }: ThProps) {
  const active = field !== undefined && sorting?.field === field;
  const direction = active ? sorting.direction : null;
  const Arrow = direction === "desc" ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      {...rest}
      aria-sort={direction ? (direction === "asc" ? "ascending" : "descending") : undefined}
      className={cx("h-9 border-b px-2 text-sm font-medium whitespace-nowrap text-muted", className)}
    >
      {field && onSort ? (
        <button
          type="button"
          className="-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink"
          onClick={() => onSort({ field, direction: direction === "asc" ? "desc" : "asc" })}
        >
          {children}
          <Arrow size={13} aria-hidden className={active ? undefined : "invisible"} />
        </button>
      ) : (
        children
      )}
      {after && <span className="ml-1 inline-block align-middle">{after}</span>}
    </th>
  );
}

export function Tr({ className, ...rest }: ComponentProps<"tr">) {
  return <tr {...rest} className={cx("group border-b last:border-b-0 hover:bg-canvas", className)} />;
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return <td {...rest} className={cx("h-10 px-2 py-1 align-middle", className)} />;
}
