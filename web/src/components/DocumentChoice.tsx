import { Search } from "lucide-react";

import { cx } from "@/lib/cx";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

import { DocumentStateMark } from "./DocumentStateMark";
import { Input } from "./Field";

interface DocumentChoiceProps {
  documents: Document[] | undefined;
  find: string;
  onFind: (find: string) => void;
  chosen: string | null;
  onChoose: (document: Document) => void;
}

/** Choose one document from a short list that narrows while the user types. */
export function DocumentChoice({ documents, find, onFind, chosen, onChoose }: DocumentChoiceProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        <Search size={15} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-muted" />
        <Input
          type="search"
          aria-label={t("components.findADocument")}
          placeholder={t("components.findADocument")}
          className="pl-8"
          value={find}
          onChange={(event) => onFind(event.target.value)}
        />
      </div>
      <ul aria-label={t("components.documentsToChooseFrom")} className="max-h-56 divide-y overflow-y-auto rounded-lg border bg-surface">
        {documents?.map((document) => (
          <li key={document.id}>
            <button
              type="button"
              aria-pressed={document.id === chosen}
              onClick={() => onChoose(document)}
              className={cx(
                "flex min-h-9 w-full items-center gap-3 px-3 text-left hover:bg-hover focus-visible:-outline-offset-2",
                document.id === chosen && "bg-accent-soft font-medium",
              )}
            >
              <span className="min-w-0 flex-1 truncate">{document.document_name}</span>
              <span className="max-w-36 text-sm font-normal">
                <DocumentStateMark document={document} />
              </span>
            </button>
          </li>
        ))}
        {!documents && <li className="px-3 py-2 text-muted">{t("components.loadingDocuments")}</li>}
        {documents?.length === 0 && (
          <li className="px-3 py-2 text-muted">{find ? t("common.noDocumentMatches") : t("components.thereAreNoDocumentsYetUpload")}</li>
        )}
      </ul>
    </div>
  );
}
