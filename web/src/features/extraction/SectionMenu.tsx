import { Download, Ellipsis, FileText, History as HistoryIcon, ShieldOff } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import type { Result } from "@/lib/api/results";

const FORMATS = [
  { format: "json", label: "JSON" },
  { format: "csv", label: "CSV" },
  { format: "xlsx", label: "Excel workbook" },
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
    <Menu align="end" trigger={<IconButton small icon={Ellipsis} label={`More for ${name}`} />}>
      <MenuLabel>Export</MenuLabel>
      {FORMATS.map(({ format, label }) => (
        <MenuItem key={format} icon={Download} onSelect={() => onExport(format)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={HistoryIcon} note={String(result.revision)} onSelect={onHistory}>
        Revisions
      </MenuItem>
      <MenuItem icon={FileText} onSelect={onPrompt}>
        How it was made
      </MenuItem>
      {result.is_verified && (
        <MenuItem icon={ShieldOff} onSelect={onUnverify}>
          Undo the verification
        </MenuItem>
      )}
    </Menu>
  );
}
