import { Columns3, Download, X } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Select } from "@/components/Field";
import { Menu, MenuItem } from "@/components/Menu";
import { ErrorNote } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { SearchField } from "@/components/SearchField";
import { exportAddress } from "@/lib/api/sheets";
import type { Sheet } from "@/lib/api/sheets";
import { download } from "@/lib/download";
import { words } from "@/lib/format";
import { useOrganization } from "@/lib/organization";

import { RunOnNew } from "./RunOnNew";
import { filterWords, toQuery } from "./search";

import type { SheetSearch } from "./search";

const FORMATS = [
  ["xlsx", "Excel workbook"],
  ["csv", "CSV"],
  ["jsonl", "JSON lines"],
  ["parquet", "Parquet"],
] as const;

interface ToolbarProps {
  sheet: Sheet;
  search: SheetSearch;
  onSearch: (change: Partial<SheetSearch>) => void;
  hidden: readonly string[];
  onHidden: (hidden: string[]) => void;
}

/** Search, filters, columns and files of a sheet. */
export function Toolbar({ sheet, search, onSearch, hidden, onHidden }: ToolbarProps) {
  const tables = sheet.columns.filter((column) => column.unfolds).map((column) => column.path);
  const unfolded = search.unfold && !tables.includes(search.unfold) ? [search.unfold] : [];
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-2 sm:px-4">
      <SearchField label="Search names and values" group="Sheet" value={search.find} onFind={(find) => onSearch({ find })} />
      {(tables.length > 0 || unfolded.length > 0) && (
        <Select
          aria-label="A row for each"
          className="w-auto!"
          value={search.unfold ?? ""}
          onChange={(event) => onSearch({ unfold: event.target.value || null })}
        >
          <option value="">A row for each document</option>
          {[...unfolded, ...tables].map((path) => (
            <option key={path} value={path}>
              A row for each of {path}
            </option>
          ))}
        </Select>
      )}
      {search.filters.map((filter, place) => (
        <Button
          key={`${filter.field} ${filter.operator} ${filter.value}`}
          icon={X}
          aria-label={`Remove the filter: ${filterWords(filter, sheet.columns)}`}
          onClick={() => onSearch({ filters: search.filters.filter((_, other) => other !== place) })}
        >
          {filterWords(filter, sheet.columns)}
        </Button>
      ))}
      <div className="ml-auto flex gap-2">
        <Popover label="Columns" align="end" trigger={<Button icon={Columns3}>Columns</Button>}>
          <div className="flex flex-col">
            {sheet.columns.map((column) => (
              <Checkbox
                key={column.path}
                label={words(column.title)}
                checked={!hidden.includes(column.path)}
                onChange={(event) =>
                  onHidden(event.target.checked ? hidden.filter((path) => path !== column.path) : [...hidden, column.path])
                }
              />
            ))}
          </div>
        </Popover>
        <RunOnNew promptId={sheet.prompt_id} />
        <ExportMenu sheet={sheet} search={search} hidden={hidden} />
      </div>
    </div>
  );
}

function ExportMenu({ sheet, search, hidden }: Pick<ToolbarProps, "sheet" | "search" | "hidden">) {
  const { id } = useOrganization();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const columns = hidden.length ? sheet.columns.map(({ path }) => path).filter((path) => !hidden.includes(path)) : [];
  const save = async (format: string): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await download(exportAddress(id, sheet.prompt_id, format, toQuery(search), columns), `${sheet.name}.${format}`);
    } catch (reason) {
      setError(reason);
    } finally {
      setIsBusy(false);
    }
  };
  const what = sheet.total_count === 1 ? "this document" : `these ${sheet.total_count.toLocaleString("en-GB")} documents`;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button variant="primary" icon={Download} busy={isBusy && "Exporting"} disabledBecause={sheet.total_count === 0 && "There is nothing to export."}>
            Export
          </Button>
        }
      >
        {FORMATS.map(([format, name]) => (
          <MenuItem key={format} onSelect={() => void save(format)}>
            Export {what} as {name}
          </MenuItem>
        ))}
      </Menu>
      {error !== null && <ErrorNote what="The file could not be made." error={error} onDismiss={() => setError(null)} />}
    </>
  );
}
