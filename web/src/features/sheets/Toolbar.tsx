import { Columns3, Download, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";

import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import { ErrorNote, Loading } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { SearchField } from "@/components/SearchField";
import { exportAddress, useSetTemplate } from "@/lib/api/sheets";
import type { Decimal, FileForm, Sheet, SheetColumn } from "@/lib/api/sheets";
import { download } from "@/lib/download";
import { t, useLanguage } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { RunOnNew } from "./RunOnNew";
import { filterWords, toQuery } from "./search";

import type { SheetSearch } from "./search";

const ColumnsPanel = lazy(() => import("./ColumnsPanel").then((part) => ({ default: part.ColumnsPanel })));

interface ToolbarProps {
  sheet: Sheet;
  /** Those of the tab that is shown, hidden ones included. */
  columns: SheetColumn[];
  search: SheetSearch;
  onSearch: (change: Partial<SheetSearch>) => void;
  /** Elsewhere when the sheet is done. */
  hasExport: boolean;
}

/** Search, filters, columns and files of a sheet. */
export function Toolbar({ sheet, columns, search, onSearch, hasExport }: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-2 sm:px-4">
      <SearchField label={t("sheets.searchNamesAndValues")} group={t("common.sheet")} value={search.find} onFind={(find) => onSearch({ find })} />
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
        <Popover label={t("sheets.columns")} align="end" className="w-80" trigger={<Button icon={Columns3}>{t("sheets.columns")}</Button>}>
          <Suspense fallback={<Loading what={t("sheets.columns")} />}>
            <ColumnsPanel sheet={sheet} columns={columns} />
          </Suspense>
        </Popover>
        <RunOnNew promptId={sheet.prompt_id} />
        {hasExport && <ExportMenu sheet={sheet} search={search} />}
      </div>
    </div>
  );
}

interface Tab {
  path: string | null;
  title: string;
}

/** The documents, and a tab for the rows of each table in them. */
export function SheetTabs({ sheet, search, onSearch }: Pick<ToolbarProps, "sheet" | "search" | "onSearch">) {
  if (!sheet.tables.length) return null;
  const tabs: Tab[] = [{ path: null, title: t("common.documents") }, ...sheet.tables];
  return (
    <nav aria-label={t("sheets.tabsOfTheSheet")} className="flex gap-1 overflow-x-auto border-b bg-surface px-2">
      {tabs.map(({ path, title }) => (
        <button
          key={path ?? ""}
          type="button"
          aria-current={search.unfold === path ? "page" : undefined}
          onClick={() => onSearch({ unfold: path })}
          className={
            "-mb-px flex h-9 items-center border-b-2 border-transparent px-2 whitespace-nowrap text-muted hover:text-ink " +
            "aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink focus-visible:-outline-offset-2"
          }
        >
          {title}
        </button>
      ))}
    </nav>
  );
}

/** The decimal mark of the browser's region. */
function usualDecimal(): Decimal {
  return new Intl.NumberFormat(navigator.language).format(1.5).includes(",") ? "," : ".";
}

export function ExportMenu({ sheet, search, small }: Pick<ToolbarProps, "sheet" | "search"> & { small?: boolean }) {
  const { id } = useOrganization();
  const language = useLanguage();
  const template = useSetTemplate(sheet.prompt_id);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (form: Omit<FileForm, "language">): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      if (form.decimal && form.decimal !== sheet.decimal) {
        const columns = sheet.columns.map(({ path, title, hidden }) => ({ path, title, hidden }));
        template.mutate({ columns, decimal: form.decimal });
      }
      await download(exportAddress(id, sheet.prompt_id, { ...form, language }, toQuery(search)), `${sheet.name}.${form.format}`);
    } catch (reason) {
      setError(reason);
    } finally {
      setIsBusy(false);
    }
  };
  const what = sheet.total_count === 1 ? t("sheets.thisDocument") : t("sheets.theseTotalCountDocuments", { totalCount: sheet.total_count });
  const first = (sheet.decimal || usualDecimal()) as Decimal;
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
        <MenuLabel>{t("sheets.exportWhat", { what })}</MenuLabel>
        <MenuItem onSelect={() => void save({ format: "xlsx" })}>{t("common.excelWorkbook")}</MenuItem>
        <MenuItem onSelect={() => void save({ format: "xlsx", pictures: true })}>{t("sheets.workbookWithPictures")}</MenuItem>
        <MenuSeparator />
        {([first, first === "." ? "," : "."] as const).map((decimal) => (
          <MenuItem key={decimal} note={decimal === "," ? "1234,50;" : "1234.50,"} onSelect={() => void save({ format: "csv", decimal })}>
            {t(decimal === "," ? "sheets.csvWithSemicolons" : "sheets.csvWithCommas")}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => void save({ format: "jsonl" })}>{t("sheets.jsonLines")}</MenuItem>
        <MenuItem onSelect={() => void save({ format: "parquet" })}>{t("sheets.parquet")}</MenuItem>
      </Menu>
      {error !== null && <ErrorNote what={t("sheets.theFileCouldNotBeMade")} error={error} onDismiss={() => setError(null)} />}
    </>
  );
}
