import { Download, Ellipsis, Pencil, Sparkles, Trash2 } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuSeparator } from "@/components/Menu";
import type { Document } from "@/lib/documentState";

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
    <Menu align="end" trigger={<IconButton small icon={Ellipsis} label={`Actions for ${document.document_name}`} />}>
      <MenuItem icon={Pencil} onSelect={onRename}>
        Rename
      </MenuItem>
      <MenuItem icon={Sparkles} onSelect={onExtract} disabledBecause={extractionBlocked(document)}>
        Run extraction again
      </MenuItem>
      <MenuItem icon={Download} onSelect={onDownload}>
        Download
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  );
}
