import { Download } from "lucide-react";

import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import type { Document } from "@/lib/documentState";
import { download } from "@/lib/download";
import { t } from "@/lib/i18n";
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
  const noText = !isRead && t("document.theTextIsNotReadYet");
  const noResults = !hasResults && t("document.nothingIsExtractedYet");
  const results = `llm/results/${document.id}/export?format=`;
  return (
    <Menu
      align="end"
      trigger={
        <Button small icon={Download}>
          <span className="max-sm:sr-only">{t("common.download")}</span>
        </Button>
      }
    >
      <MenuItem onSelect={() => get(`documents/${document.id}/file?file_type=original`, document.document_name)}>{t("document.original")}</MenuItem>
      <MenuItem onSelect={() => get(`documents/${document.id}/file?file_type=pdf`, `${stem}.pdf`)}>PDF</MenuItem>
      <MenuSeparator />
      <MenuItem disabledBecause={noText} onSelect={() => get(`ocr/download/text/${document.id}`, `${stem}.txt`)}>
        {t("common.text")}
      </MenuItem>
      <MenuItem disabledBecause={noText} onSelect={() => get(`ocr/export/markdown/${document.id}`, `${stem}.md`)}>
        Markdown
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{t("document.results")}</MenuLabel>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}json`, `${stem} results.json`)}>
        JSON
      </MenuItem>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}csv`, `${stem} results.csv`)}>
        CSV
      </MenuItem>
      <MenuItem disabledBecause={noResults} onSelect={() => get(`${results}xlsx`, `${stem} results.xlsx`)}>
        {t("common.excelWorkbook")}
      </MenuItem>
    </Menu>
  );
}
