import { Link, useNavigate } from "@tanstack/react-router";
import { ScrollText, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { DocumentStateMark } from "@/components/DocumentStateMark";
import { ErrorNote } from "@/components/Notes";
import type { Document, Facts } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";
import { useWished } from "@/lib/wished";

import { DocumentName } from "./DocumentName";
import { DocumentTags } from "./DocumentTags";
import { DownloadMenu } from "./DownloadMenu";
import { useDocumentActions } from "./useDocumentActions";

interface DocumentBarProps {
  document: Document;
  facts?: Facts;
  hasResults: boolean;
  /** Left out where there is no room for a text panel. */
  text?: { isShown: boolean; onToggle: () => void };
}

/** The line over a document: where it is, its name, how far it is, its tags, and what can be done with it. */
export function DocumentBar({ document, facts, hasResults, text }: DocumentBarProps) {
  const orgPath = useOrgPath();
  const { change } = useDocumentActions(document.id);
  const [isDeleting, setIsDeleting] = useState(false);
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);
  return (
    <div className="shrink-0 border-b bg-surface">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1 sm:px-4">
        <div className="flex min-w-0 items-center gap-1 max-sm:basis-full">
          <Link to={orgPath("documents")} className="shrink-0 text-muted hover:text-ink hover:underline">
            {t("common.documents")}
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          <DocumentName name={document.document_name} onRename={(name) => change.mutateAsync({ document_name: name })} />
        </div>
        <DocumentStateMark document={document} facts={facts} />
        <Tags document={document} onError={(error) => setProblem({ what: t("document.theTagsAreAsTheyWere"), error })} />
        <div className="ml-auto flex items-center gap-1">
          {text && (
            <Button small icon={ScrollText} aria-pressed={text.isShown} className={text.isShown ? "!bg-accent-soft" : undefined} onClick={text.onToggle}>
              {t("common.text")}
            </Button>
          )}
          <DownloadMenu document={document} hasResults={hasResults} onError={(error) => setProblem({ what: t("common.nothingWasDownloaded"), error })} />
          <IconButton small icon={Trash2} label={t("document.deleteTheDocument")} onClick={() => setIsDeleting(true)} />
        </div>
      </div>
      {isDeleting && <ConfirmDelete document={document} onCancel={() => setIsDeleting(false)} />}
      {problem && <ErrorNote className="mx-4 mb-2" {...problem} onDismiss={() => setProblem(null)} />}
    </div>
  );
}

function Tags({ document, onError }: { document: Document; onError: (error: unknown) => void }) {
  const { change } = useDocumentActions(document.id);
  const [tagIds, wish] = useWished(document.tag_ids, (tag_ids, options) => change.mutate({ tag_ids }, { ...options, onError }));
  return <DocumentTags tagIds={tagIds} onChange={wish} />;
}

function ConfirmDelete({ document, onCancel }: { document: Document; onCancel: () => void }) {
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  const { remove } = useDocumentActions(document.id);
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t("document.documentNameIsDeleted", { documentName: document.document_name }));
        void navigate({ to: orgPath("documents") });
      },
    });
  return (
    <div role="group" aria-label={t("document.deleteDocumentName", { documentName: document.document_name })} className="flex flex-wrap items-center gap-2 border-t px-4 py-2">
      <span>{t("document.deleteThisDocumentWithItsText")}</span>
      <Button small variant="danger" autoFocus busy={remove.isPending && t("common.deleting")} onClick={confirm}>
        {t("document.deleteDocument")}
      </Button>
      <Button small variant="quiet" onClick={onCancel}>
        {t("common.keep")}
      </Button>
      {remove.error && <ErrorNote what={t("document.theDocumentIsStillHere")} error={remove.error} />}
    </div>
  );
}
