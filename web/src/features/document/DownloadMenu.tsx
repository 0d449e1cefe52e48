import { Download } from "lucide-react";

import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import type { Document } from "@/lib/documentState";
import { download } from "@/lib/download";
import { useOrganization } from "@/lib/organization";

interface DownloadMenuProps {
  document: Document;
  hasResults: boolean;
  onError: (error: unknown) => void;
}

/** The document, its text and its results, to take away. */
export function DownloadMenu({ document, hasResults, onError }: DownloadMenuProps) {
  const { id } = useOrganization();
  const root = `/v0/orgs/${id}`;
  const stem = document.document_name.replace(/\.[^.]*$/, "");
  const get = (path: string, name: string): void => void download(`${root}/${path}`, name).catch(onError);
  const isRead = !["uploaded", "ocr_processing", "ocr_failed"].includes(document.state);
  const noText = !isRead && "The text is not read yet.";
  const noResults = !hasResults && "Nothing is extracted yet.";
  const results = `llm/results/${document.id}/export?format=`;
  return (
    <Menu
      align="end"
      trigger={
        <Button small icon={Download}>
          <span className="max-sm:sr-only">Download</span>
        </Button>
      }
    >
      <MenuItem onSelect={() => get(`documents/${document.id}/file?file_type=original`, document.document_name)}>Original</MenuItem>
      <MenuItem onSelect={() => get(`documents/${document.id}/file?file_type=pdf`, `${stem}.pdf`)}>PDF</MenuItem>
      <MenuSeparator />
      <MenuItem disabledBecause={noText} onSelect={() => get(`ocr/download/text/${document.id}`, `${stem}.txt`)}>
        Text
      </MenuItem>
      <MenuItem disabledBecause={noText} onSelect={() => get(`ocr/export/markdown/${document.id}`, `${stem}.md`)}>
        Markdown
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Results</MenuLabel>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}json`, `${stem} results.json`)}>
        JSON
      </MenuItem>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}csv`, `${stem} results.csv`)}>
        CSV
      </MenuItem>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}xlsx`, `${stem} results.xlsx`)}>
        Excel workbook
      </MenuItem>
    </Menu>
  );
}
