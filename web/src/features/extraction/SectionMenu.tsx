import { Download, Ellipsis, FileText, History as HistoryIcon, ShieldOff } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import type { Result } from "@/lib/api/results";
import { t } from "@/lib/i18n";

const FORMATS = [
  { format: "json", label: "JSON" },
  { format: "csv", label: "CSV" },
  { format: "xlsx", get label() { return t("common.excelWorkbook"); } },
] as const;

export type ExportFormat = (typeof FORMATS)[number]["format"];

interface SectionMenuProps {
  name: string;
  result: Result;
  onExport: (format: ExportFormat) => void;
  onHistory: () => void;
  onPrompt: () => void;
  onUnverify: () => void;
}

export function SectionMenu({ name, result, onExport, onHistory, onPrompt, onUnverify }: SectionMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton small icon={Ellipsis} label={t("extraction.moreForName", { name })} />}>
      <MenuLabel>{t("common.export")}</MenuLabel>
      {FORMATS.map(({ format, label }) => (
        <MenuItem key={format} icon={Download} onSelect={() => onExport(format)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={HistoryIcon} note={String(result.revision)} onSelect={onHistory}>
        {t("extraction.revisions")}
      </MenuItem>
      <MenuItem icon={FileText} onSelect={onPrompt}>
        {t("extraction.howItWasMade")}
      </MenuItem>
      {result.is_verified && (
        <MenuItem icon={ShieldOff} onSelect={onUnverify}>
          {t("extraction.undoTheVerification")}
        </MenuItem>
      )}
    </Menu>
  );
}
