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
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { RunOnNew } from "./RunOnNew";
import { filterWords, toQuery } from "./search";

import type { SheetSearch } from "./search";

const FORMATS = [
  ["xlsx", "common.excelWorkbook"],
  ["csv", "sheets.csv"],
  ["jsonl", "sheets.jsonLines"],
  ["parquet", "sheets.parquet"],
] as const;

interface ToolbarProps {
  sheet: Sheet;
  search: SheetSearch;
  onSearch: (change: Partial<SheetSearch>) => void;
  hidden: readonly string[];
  onHidden: (hidden: string[]) => void;
  /** Elsewhere when the sheet is done. */
  hasExport: boolean;
}

/** Search, filters, columns and files of a sheet. */
export function Toolbar({ sheet, search, onSearch, hidden, onHidden, hasExport }: ToolbarProps) {
  const tables = sheet.columns.filter((column) => column.unfolds).map((column) => column.path);
  const unfolded = search.unfold && !tables.includes(search.unfold) ? [search.unfold] : [];
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-2 sm:px-4">
      <SearchField label={t("sheets.searchNamesAndValues")} group={t("common.sheet")} value={search.find} onFind={(find) => onSearch({ find })} />
      {(tables.length > 0 || unfolded.length > 0) && (
        <Select
          aria-label={t("sheets.aRowForEach")}
          className="w-auto!"
          value={search.unfold ?? ""}
          onChange={(event) => onSearch({ unfold: event.target.value || null })}
        >
          <option value="">{t("sheets.aRowForEachDocument")}</option>
          {[...unfolded, ...tables].map((path) => (
            <option key={path} value={path}>
              {t("sheets.aRowForEachOfPath", { path })}
            </option>
          ))}
        </Select>
      )}
      {search.filters.map((filter, place) => (
        <Button
          key={`${filter.field} ${filter.operator} ${filter.value}`}
          icon={X}
          aria-label={t("sheets.removeTheFilterFilter", { filter: filterWords(filter, sheet.columns) })}
          onClick={() => onSearch({ filters: search.filters.filter((_, other) => other !== place) })}
        >
          {filterWords(filter, sheet.columns)}
        </Button>
      ))}
      <div className="ml-auto flex gap-2">
        <Popover label={t("sheets.columns")} align="end" trigger={<Button icon={Columns3}>{t("sheets.columns")}</Button>}>
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
        {hasExport && <ExportMenu sheet={sheet} search={search} hidden={hidden} />}
      </div>
    </div>
  );
}

export function ExportMenu({ sheet, search, hidden, small }: Pick<ToolbarProps, "sheet" | "search" | "hidden"> & { small?: boolean }) {
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
  const what = sheet.total_count === 1 ? t("sheets.thisDocument") : t("sheets.theseTotalCountDocuments", { totalCount: sheet.total_count });
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button small={small} variant={small ? "primary" : undefined} icon={Download} busy={isBusy && t("sheets.exporting")} disabledBecause={sheet.total_count === 0 && t("sheets.thereIsNothingToExport")}>
            {t("common.export")}
          </Button>
        }
      >
        {FORMATS.map(([format, name]) => (
          <MenuItem key={format} onSelect={() => void save(format)}>
            {t("sheets.exportWhatAsName", { what, name: t(name) })}
          </MenuItem>
        ))}
      </Menu>
      {error !== null && <ErrorNote what={t("sheets.theFileCouldNotBeMade")} error={error} onDismiss={() => setError(null)} />}
    </>
  );
}
