import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Checkbox, Field, Input, Select } from "@/components/Field";
import type { Insertable } from "@/components/LiveText";
import { ErrorNote, Loading } from "@/components/Notes";
import { useAllPrompts } from "@/lib/api/prompts";
import { fetchSheetMarkdown, useSheet } from "@/lib/api/sheets";
import type { Sheet, SheetCell, SheetColumn } from "@/lib/api/sheets";
import { citationOf } from "@/lib/citations";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

const MOST_ROWS = 50;
const FIRST_COLUMNS = 4;
const MOST_COLUMNS = 12;

const TITLES = {
  value: { get title() { return t("projects.insertAValue"); } },
  table: { get title() { return t("projects.insertATable"); } },
  chart: { get title() { return t("projects.insertAChart"); } },
};

interface InsertDialogProps {
  what: Insertable;
  /** Puts it where the cursor is. */
  onInsert: (markdown: string) => void;
  onClose: () => void;
}

/** Chooses a sheet, and a value, columns or a chart of it. */
export function InsertDialog({ what, onInsert, onClose }: InsertDialogProps) {
  const { data: prompts, error } = useAllPrompts();
  const [chosen, setChosen] = useState<string | null>(null);
  const promptId = chosen ?? prompts?.[0]?.prompt_id;
  return (
    <Dialog open onClose={onClose} title={TITLES[what].title} description={t("projects.itStaysBoundToTheSheet")}>
      <div className="flex flex-col gap-3">
        {error && <ErrorNote error={error} />}
        {!prompts && !error && <Loading what={t("projects.theSheets")} />}
        {prompts?.length === 0 && <p>{t("projects.thereIsNoSheetYet")}</p>}
        {promptId && (
          <>
            <Field label={t("projects.sheet")}>
              {(control) => (
                <Select {...control} value={promptId} onChange={(event) => setChosen(event.target.value)}>
                  {prompts?.map((prompt) => (
                    <option key={prompt.prompt_id} value={prompt.prompt_id}>
                      {prompt.name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <OfSheet key={promptId} what={what} promptId={promptId} onInsert={onInsert} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function OfSheet({ what, promptId, onInsert }: Pick<InsertDialogProps, "what" | "onInsert"> & { promptId: string }) {
  const [find, setFind] = useState("");
  const { data: sheet, error } = useSheet(promptId, { skip: 0, limit: MOST_ROWS, name_search: find || undefined });
  if (error) return <ErrorNote what={t("projects.theSheetCannotBeShown")} error={error} />;
  if (!sheet) return <Loading what={t("projects.theSheet")} />;
  if (what === "value") return <ValueForm sheet={sheet} find={find} onFind={setFind} onInsert={onInsert} />;
  return what === "table" ? <TableForm promptId={promptId} sheet={sheet} onInsert={onInsert} /> : <ChartForm promptId={promptId} sheet={sheet} onInsert={onInsert} />;
}

interface ValueFormProps {
  sheet: Sheet;
  find: string;
  onFind: (find: string) => void;
  onInsert: (markdown: string) => void;
}

/** A value of a document: both are chosen from the sheet. */
function ValueForm({ sheet, find, onFind, onInsert }: ValueFormProps) {
  const [documentId, setDocumentId] = useState<string | null>(null);
  const row = sheet.rows.find((one) => one.document_id === documentId) ?? sheet.rows[0];
  const values = sheet.columns.flatMap((column, place) => {
    const cell = row?.cells[place];
    return cell && isSingle(cell) ? [{ column, cell }] : [];
  });
  return (
    <>
      <Field label={t("projects.findInTheSheet")}>{(control) => <Input {...control} type="search" value={find} onChange={(event) => onFind(event.target.value)} />}</Field>
      {!row ? (
        <p className="text-muted">{t("common.noDocumentMatches")}</p>
      ) : (
        <>
          <Field label={t("common.document")}>
            {(control) => (
              <Select {...control} value={row.document_id} onChange={(event) => setDocumentId(event.target.value)}>
                {sheet.rows.map((one) => (
                  <option key={one.document_id} value={one.document_id}>
                    {one.document_name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <ul aria-label={t("projects.values")} className="divide-y overflow-hidden rounded-lg border">
            {values.map(({ column, cell }) => (
              <li key={cell.path}>
                <button
                  type="button"
                  className="flex min-h-9 w-full items-baseline gap-3 px-3 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
                  onClick={() => onInsert(citationOf({ documentId: row.document_id, promptId: sheet.prompt_id, path: cell.path }, cell.value))}
                >
                  <span className="w-2/5 min-w-0 text-sm text-muted">{column.title}</span>
                  <span dir="auto" className="min-w-0 flex-1 truncate tabular-nums">
                    {typeof cell.value === "string" ? cell.value : JSON.stringify(cell.value)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface BlockFormProps {
  promptId: string;
  sheet: Sheet;
  onInsert: (markdown: string) => void;
}

function TableForm({ promptId, sheet, onInsert }: BlockFormProps) {
  const possible = sheet.columns.filter(isPlain);
  const [chosen, setChosen] = useState<readonly string[]>(() => possible.slice(0, FIRST_COLUMNS).map(({ path }) => path));
  const toggle = (path: string): void => setChosen((now) => (now.includes(path) ? now.filter((one) => one !== path) : [...now, path]));
  const columns = possible.filter(({ path }) => chosen.includes(path)).map(({ path }) => path);
  const why = !columns.length ? t("projects.chooseAColumn") : columns.length > MOST_COLUMNS && t("projects.chooseAtMostCountColumns", { count: MOST_COLUMNS });
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 text-sm font-medium">{t("projects.columns")}</legend>
        {possible.map(({ path, title }) => (
          <Checkbox key={path} label={title} checked={chosen.includes(path)} onChange={() => toggle(path)} />
        ))}
      </fieldset>
      <InsertButton promptId={promptId} caption={sheet.name} columns={columns} form="rows" why={why} onInsert={onInsert} />
    </>
  );
}

function ChartForm({ promptId, sheet, onInsert }: BlockFormProps) {
  const labels = sheet.columns.filter((column) => isPlain(column) && column.kind !== "number");
  const amounts = sheet.columns.filter((column) => isPlain(column) && column.kind === "number");
  const [label, setLabel] = useState(() => labels.find((column) => column.kind === "date")?.path ?? labels[0]?.path ?? "");
  const [amount, setAmount] = useState(amounts.at(-1)?.path ?? "");
  const titleOf = (path: string): string => sheet.columns.find((column) => column.path === path)?.title ?? t("common.documents");
  const caption = t("projects.whatByLabel", { what: titleOf(amount), label: titleOf(label) });
  return (
    <>
      <Field label={t("projects.whatIsAddedUp")}>
        {(control) => (
          <Select {...control} value={amount} onChange={(event) => setAmount(event.target.value)}>
            {amounts.map(({ path, title }) => (
              <option key={path} value={path}>
                {title}
              </option>
            ))}
            <option value="">{t("projects.numberOfDocuments")}</option>
          </Select>
        )}
      </Field>
      <Field label={t("projects.forEach")} hint={t("projects.datesAreTakenByMonth")}>
        {(control) => (
          <Select {...control} value={label} onChange={(event) => setLabel(event.target.value)}>
            {labels.map(({ path, title }) => (
              <option key={path} value={path}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <InsertButton promptId={promptId} caption={caption} columns={amount ? [label, amount] : [label]} form="sum" why={!label && t("projects.thisSheetHasNoColumnTo")} onInsert={onInsert} />
    </>
  );
}

interface InsertButtonProps {
  promptId: string;
  caption: string;
  columns: string[];
  form: "rows" | "sum";
  why: string | false;
  onInsert: (markdown: string) => void;
}

/** The server writes the table, and will tell when the sheet says something else. */
function InsertButton({ promptId, caption, columns, form, why, onInsert }: InsertButtonProps) {
  const { id } = useOrganization();
  const made = useMutation({ mutationFn: () => fetchSheetMarkdown(id, promptId, { caption, column: columns, form }), onSuccess: onInsert });
  return (
    <>
      {made.error && <ErrorNote what={t("projects.nothingWasInserted")} error={made.error} onDismiss={() => made.reset()} />}
      <div>
        <Button variant="primary" busy={made.isPending && t("projects.inserting")} disabledBecause={why} onClick={() => made.mutate()}>
          {t("projects.insert")}
        </Button>
      </div>
    </>
  );
}

function isPlain({ kind, within }: SheetColumn): boolean {
  return kind !== "list" && !within;
}

function isSingle({ value }: SheetCell): boolean {
  return value !== null && value !== undefined && value !== "" && typeof value !== "object";
}
