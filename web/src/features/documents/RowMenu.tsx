import { Download, Ellipsis, Pencil, Sparkles, Trash2 } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuSeparator } from "@/components/Menu";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

import { extractionBlocked } from "./rules";


interface RowMenuProps {
  document: Document;
  onRename: () => void;
  onDelete: () => void;
  onDownload: () => void;
  onExtract: () => void;
}

export function RowMenu({ document, onRename, onDelete, onDownload, onExtract }: RowMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton small icon={Ellipsis} label={t("documents.actionsForDocumentName", { documentName: document.document_name })} />}>
      <MenuItem icon={Pencil} onSelect={onRename}>
        {t("common.rename")}
      </MenuItem>
      <MenuItem icon={Sparkles} onSelect={onExtract} disabledBecause={extractionBlocked(document)}>
        {t("documents.runExtractionAgain")}
      </MenuItem>
      <MenuItem icon={Download} onSelect={onDownload}>
        {t("common.download")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={onDelete}>
        {t("common.delete")}
      </MenuItem>
    </Menu>
  );
}
