import { SquareDashedMousePointer } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";
import { useHasPages, usePointing } from "@/lib/pointing";
import type { Taken } from "@/lib/pointing";

import { useFieldActions } from "./context";
import { rowsOf, shiftedPlaces } from "./rows";

import type { Table } from "./tree";

/** Takes the rows of a table from the page beside it: drag over them, look at what was read, keep it. */
export function TakeRows({ table }: { table: Table }) {
  const { documentId } = useFieldActions();
  const [isOpen, setIsOpen] = useState(false);
  if (!useHasPages(documentId)) return null;
  if (isOpen) return <Taking table={table} onClose={() => setIsOpen(false)} />;
  return (
    <Button small variant="quiet" icon={SquareDashedMousePointer} className="text-muted" onClick={() => setIsOpen(true)}>
      {t("extraction.takeRowsFromThePage")}
    </Button>
  );
}

function Taking({ table, onClose }: { table: Table; onClose: () => void }) {
  const { documentId, promptRevid, save } = useFieldActions();
  const [taken, setTaken] = useState<Taken | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  usePointing({ documentId, promptRevid, path: table.path, label: table.label, isTable: true }, setTaken, onClose);
  const rows = (taken?.value ?? []) as Record<string, unknown>[];
  const keep = async (after: Record<string, unknown>[]): Promise<void> => {
    if (!taken || isSaving) return;
    setIsSaving(true);
    setError(null);
    try {
      await save(table.path, [...after, ...rows], shiftedPlaces(taken.places, table.path, after.length));
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setIsSaving(false);
    }
  };
  const had = table.rows.length;
  return (
    <section aria-label={t("extraction.rowsForLabel", { label: table.label })} className="flex w-full flex-col gap-2 rounded-md border border-accent bg-accent-soft p-2 text-sm">
      <p role="status">
        {taken ? t("extraction.countRowReadFromThePage", { count: rows.length }) : t("extraction.dragOverTheRowsOnThe")}
      </p>
      {taken && <Preview table={table} rows={rows} />}
      {taken?.remark && <p className="text-bad">{taken.remark}</p>}
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-1">
        {taken && (
          <Button small variant="primary" busy={isSaving && t("common.saving")} onClick={() => void keep([])}>
            {had ? t("extraction.replaceCountRow", { had }) : t("extraction.keepCountRow", { count: rows.length })}
          </Button>
        )}
        {taken && had > 0 && (
          <Button small onClick={() => void keep(rowsOf(table))}>
            {t("extraction.addCountRow", { count: rows.length })}
          </Button>
        )}
        <Button small variant="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </section>
  );
}

function Preview({ table, rows }: { table: Table; rows: readonly Record<string, unknown>[] }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={t("extraction.rowsReadFromThePage")} tabIndex={0} className="max-h-48 overflow-auto rounded-md border bg-surface">
      <table className="w-full border-collapse">
        <thead>
          <tr className="bg-sunken text-left">
            {table.columns.map((column) => (
              <th key={column.name} scope="col" className="px-1.5 py-1 font-medium whitespace-nowrap text-muted">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t">
              {table.columns.map(({ name }) => (
                <td key={name} className="px-1.5 py-0.5">
                  {shown(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
