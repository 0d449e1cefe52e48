import { ListFilter } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Input, Select } from "@/components/Field";
import { Popover } from "@/components/Popover";
import type { SheetColumn } from "@/lib/api/sheets";
import { t } from "@/lib/i18n";

import { NO_VALUE, operatorsOf } from "./search";

import type { ColumnFilter } from "./search";

interface FilterPopoverProps {
  column: Pick<SheetColumn, "path" | "title" | "kind">;
  onFilter: (filter: ColumnFilter) => void;
}

/** Narrows the sheet by the values of one column. */
export function FilterPopover({ column, onFilter }: FilterPopoverProps) {
  const title = column.title;
  const operators = operatorsOf(column.kind);
  const [isOpen, setIsOpen] = useState(false);
  const [operator, setOperator] = useState(operators[0]?.[0] ?? "");
  const [value, setValue] = useState("");
  const needsValue = !NO_VALUE.has(operator);
  const apply = (): void => {
    onFilter({ field: column.path, operator, value: needsValue ? (column.kind === "boolean" ? value || "true" : value.trim()) : "" });
    setIsOpen(false);
    setValue("");
  };
  return (
    <Popover
      label={t("sheets.filterByTitle", { title })}
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={<IconButton small icon={ListFilter} label={t("sheets.filterByTitle", { title })} className="opacity-60 hover:opacity-100" />}
    >
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Select aria-label={t("sheets.how")} value={operator} onChange={(event) => setOperator(event.target.value)}>
          {operators.map(([name, how]) => (
            <option key={name} value={name}>
              {title} {how}
            </option>
          ))}
        </Select>
        {needsValue && column.kind === "boolean" && (
          <Select aria-label={t("sheets.value")} value={value || "true"} onChange={(event) => setValue(event.target.value)}>
            <option value="true">{t("sheets.yes")}</option>
            <option value="false">{t("sheets.no")}</option>
          </Select>
        )}
        {needsValue && column.kind !== "boolean" && (
          <Input
            aria-label={t("sheets.value")}
            autoFocus
            type={column.kind === "date" ? "date" : "text"}
            inputMode={column.kind === "number" ? "decimal" : undefined}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
        <Button type="submit" variant="primary" disabledBecause={needsValue && column.kind !== "boolean" && !value.trim() && t("sheets.sayWhichValue")}>
          {t("sheets.showThese")}
        </Button>
      </form>
    </Popover>
  );
}
