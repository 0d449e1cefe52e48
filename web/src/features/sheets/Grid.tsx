import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";

import { Th } from "@/components/Table";
import { ON_THE_PAGE, ValueSigns } from "@/components/ValueSigns";
import type { CellPlace, Sheet, SheetCell, SheetColumn, SheetRow } from "@/lib/api/sheets";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import type { PointedPlace } from "@/lib/pointing";
import { useListedShortcuts } from "@/lib/shortcuts";

import { CellEditor } from "./CellEditor";
import { FilterPopover } from "./FilterPopover";
import { RowMark } from "./RowMark";
import { canEdit, decimalsOf, knownOf, shownCell, told } from "./cells";
import { DOCUMENT } from "./search";

import type { SheetSearch } from "./search";
import type { KeyboardEvent } from "react";

/** The cell that is looked at: a row and a column of what is shown. */
export interface Spot {
  row: number;
  column: number;
}

interface GridProps {
  sheet: Sheet;
  columns: readonly SheetColumn[];
  search: SheetSearch;
  onSearch: (change: Partial<SheetSearch>) => void;
  spot: Spot | null;
  onSpot: (spot: Spot) => void;
  onEdit: (cell: CellPlace, value: unknown, places?: PointedPlace[]) => Promise<unknown>;
  onVerify: (cell: CellPlace, verified: boolean) => void;
}

const MOVES: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const KEYS = [
  { keys: "Enter", get does() { return t("sheets.editTheValue"); }, get group() { return t("common.sheet"); } },
  { keys: "v", get does() { return t("sheets.verifyTheValueOrTakeThat"); }, get group() { return t("common.sheet"); } },
  { keys: "ArrowDown", get does() { return t("sheets.nextDocumentArrowsMoveFromValue"); }, get group() { return t("common.sheet"); } },
];

/** Rows and columns like those of a spreadsheet, by mouse and by keyboard. */
export function Grid({ sheet, columns, search, onSearch, spot, onSpot, onEdit, onVerify }: GridProps) {
  const [editing, setEditing] = useState<Spot | null>(null);
  const table = useRef<HTMLTableElement>(null);
  useListedShortcuts(KEYS);
  const places = new Map(sheet.columns.map((column, place) => [column.path, place]));
  const decimals = new Map(
    sheet.columns.map(({ path, kind }, place) => [path, kind === "number" ? decimalsOf(sheet.rows.map((row) => row.cells[place]?.value)) : 0]),
  );
  const sort = { sorting: search.sorting, onSort: (sorting: SheetSearch["sorting"]) => onSearch({ sorting }) };

  const focus = (next: Spot): void => {
    onSpot(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row}.${next.column}"]`)?.focus();
  };
  const press = (event: KeyboardEvent, here: Spot, place: CellPlace, cell: SheetCell, column: SheetColumn): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move) {
      event.preventDefault();
      const row = Math.min(sheet.rows.length - 1, Math.max(0, here.row + move[0]));
      const next = Math.min(columns.length - 1, Math.max(0, here.column + move[1]));
      return focus({ row, column: next });
    }
    if (event.key === "Enter" && canEdit(column)) {
      event.preventDefault();
      return setEditing(here);
    }
    if (event.key.toLowerCase() === "v" && cell.match !== null) {
      event.preventDefault();
      onVerify(place, !cell.verified);
    }
  };

  return (
    <div className="min-h-0 flex-1 scroll-pt-10 scroll-pl-32 overflow-auto bg-surface sm:scroll-pl-60" data-scrolls>
      <table ref={table} aria-label={t("sheets.resultsOfName", { name: sheet.name })} role="grid" aria-rowcount={sheet.total_count} className="border-collapse text-left">
        <thead className="sticky top-0 z-20 bg-surface">
          <tr>
            <Th field={DOCUMENT} {...sort} className="sticky left-0 z-10 border-r bg-surface sm:min-w-44">
              {t("common.document")}
            </Th>
            {columns.map((column) => (
              <Th
                key={column.path}
                field={column.within || column.kind === "list" ? undefined : column.path}
                {...sort}
                className={column.kind === "number" ? "text-right" : undefined}
                after={column.within ? undefined : <FilterPopover column={column} onFilter={(filter) => onSearch({ filters: [...search.filters, filter] })} />}
              >
                {column.title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map((row, rowNumber) => (
            <tr key={`${row.result_id} ${row.item}`} className="group border-b">
              <DocumentCell row={row} isFirst={row.item === null || row.item === 0} />
              {columns.map((column, columnNumber) => {
                const cell = row.cells[places.get(column.path) ?? -1];
                if (!cell) return null;
                const here = { row: rowNumber, column: columnNumber };
                const place = { documentId: row.document_id, promptRevid: row.prompt_revid, path: cell.path };
                const isHere = spot?.row === rowNumber && spot.column === columnNumber;
                const isEdited = editing?.row === rowNumber && editing.column === columnNumber;
                return (
                  <td
                    key={column.path}
                    role="gridcell"
                    data-cell={`${rowNumber}.${columnNumber}`}
                    tabIndex={isHere || (!spot && rowNumber === 0 && columnNumber === 0) ? 0 : -1}
                    aria-selected={isHere}
                    onFocus={() => !isHere && onSpot(here)}
                    onClick={() => focus(here)}
                    onDoubleClick={() => canEdit(column) && setEditing(here)}
                    onKeyDown={(event) => !isEdited && press(event, here, place, cell, column)}
                    className={cx(
                      "h-8 max-w-72 cursor-default px-2 whitespace-nowrap",
                      column.kind === "number" && "text-right tabular-nums",
                      isHere ? "bg-accent-soft outline-2 -outline-offset-2 outline-accent" : "group-hover:bg-canvas",
                    )}
                  >
                    {isEdited ? (
                      <CellEditor
                        value={cell.value}
                        column={column}
                        place={place}
                        onSave={(value, places) => onEdit(place, value, places)}
                        onClose={() => {
                          setEditing(null);
                          focus(here);
                        }}
                      />
                    ) : (
                      <span className={cx("flex items-center gap-1", column.kind === "number" && "justify-end")}>
                        <span dir="auto" className={cx("truncate", knownOf(cell).isFound && ON_THE_PAGE)}>
                          {shownCell(cell.value, column, decimals.get(column.path) ?? 0)}
                        </span>
                        <ValueSigns known={knownOf(cell)} words={told(cell)} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DocumentCell({ row, isFirst }: { row: SheetRow; isFirst: boolean }) {
  const orgPath = useOrgPath();
  return (
    <th scope="row" className="sticky left-0 z-10 h-8 max-w-30 border-r sm:max-w-56 bg-surface px-2 font-normal group-hover:bg-canvas">
      <span className={cx("flex items-center gap-1.5", !isFirst && "pl-3 text-muted")}>
        <Link to={orgPath(`documents/${row.document_id}`)} className="truncate hover:underline">
          {isFirst ? row.document_name : t("sheets.rowItem", { item: (row.item ?? 0) + 1 })}
        </Link>
        {isFirst && <RowMark row={row} />}
      </span>
    </th>
  );
}
