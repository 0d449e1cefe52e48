import { GripVertical } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { arrows } from "@/components/rowKeys";
import { useRowDrag } from "@/components/useRowDrag";
import { useSetTemplate } from "@/lib/api/sheets";
import type { Decimal, Sheet, SheetColumn } from "@/lib/api/sheets";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

interface Choice {
  path: string;
  title: string;
  hidden: boolean;
}

/** Order, names and choice of the columns, on the page and in files for people; the same for everybody. */
export function ColumnsPanel({ sheet, columns }: { sheet: Sheet; columns: SheetColumn[] }) {
  const save = useSetTemplate(sheet.prompt_id);
  const [draft, setChoices] = useState<Choice[] | null>(null);
  const choices = draft ?? columns.map(({ path, title, hidden }) => ({ path, title, hidden }));
  const decimal = sheet.decimal as Decimal | "";
  const keep = (next: Choice[]): void => {
    setChoices(next);
    save.mutate({ decimal, columns: next.map((one) => ({ ...one, title: one.title.trim() || null })) });
  };
  const move = (from: number, to: number): void => {
    const chosen = choices[from];
    if (!chosen || to < 0 || to >= choices.length) return;
    const rest = choices.filter((_, place) => place !== from);
    keep([...rest.slice(0, to), chosen, ...rest.slice(to)]);
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">{t("sheets.columnsForEverybody")}</p>
      <ul className="flex flex-col">
        {choices.map((choice, index) => (
          <ColumnLine
            key={choice.path}
            choice={choice}
            index={index}
            onMove={(to) => move(index, to)}
            onTitle={(title) => setChoices(choices.map((one) => (one === choice ? { ...one, title } : one)))}
            onDone={() => draft && keep(draft)}
            onHidden={(hidden) => keep(choices.map((one) => (one === choice ? { ...one, hidden } : one)))}
          />
        ))}
      </ul>
      {save.error && <ErrorNote what={t("sheets.theColumnsWereNotSaved")} error={save.error} onDismiss={() => save.reset()} />}
      <Button small className="self-start" onClick={() => save.mutate({ decimal, columns: [] }, { onSuccess: () => setChoices(null) })}>
        {t("sheets.resetColumns")}
      </Button>
    </div>
  );
}

interface ColumnLineProps {
  choice: Choice;
  index: number;
  onMove: (to: number) => void;
  onTitle: (title: string) => void;
  onDone: () => void;
  onHidden: (hidden: boolean) => void;
}

function ColumnLine({ choice: { path, title, hidden }, index, onMove, onTitle, onDone, onHidden }: ColumnLineProps) {
  const { drag, drop, mark } = useRowDrag({ id: path, parentId: "columns", name: title, index }, onMove, false);
  return (
    <li
      {...drop}
      className={cx("flex items-center gap-1 py-0.5", mark === "before" && "shadow-[0_-2px_0_var(--accent)]", mark === "after" && "shadow-[0_2px_0_var(--accent)]")}
    >
      <button
        type="button"
        {...drag}
        aria-label={t("components.moveCalled", { called: title })}
        title={t("components.dragOrUseTheArrowKeys")}
        className="flex size-6 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted hover:bg-hover"
        onKeyDown={(event) => arrows(event, (by) => onMove(index + by))}
      >
        <GripVertical size={14} aria-hidden />
      </button>
      <Checkbox hideLabel label={t("sheets.showTitle", { title })} checked={!hidden} onChange={(event) => onHidden(!event.target.checked)} />
      <Input
        aria-label={t("sheets.headingOfTitle", { title: path })}
        className={cx("!h-7", hidden && "text-muted")}
        value={title}
        maxLength={100}
        onChange={(event) => onTitle(event.target.value)}
        onBlur={onDone}
        onKeyDown={(event) => event.key === "Enter" && onDone()}
      />
    </li>
  );
}
