import { Download, Sparkles, Tags, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorNote } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { TagPicker } from "@/components/TagPicker";
import { useCreateTag } from "@/lib/api/tags";
import type { Tag } from "@/lib/api/tags";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { ConfirmDelete } from "./RowForms";
import { RunPromptOn } from "./RunPromptOn";
import { doToEach, useDocumentActions } from "./actions";
import { extractionBlocked } from "./rules";
import { useRefreshDocuments } from "./useDocuments";

import type { Failure } from "./actions";

interface BulkBarProps {
  documents: Document[];
  tags: Tag[];
  onClear: () => void;
}

/** What can be done to all selected documents at once. */
export function BulkBar({ documents, tags, onClear }: BulkBarProps) {
  const actions = useDocumentActions();
  const refresh = useRefreshDocuments();
  const orgPath = useOrgPath();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isDeleting, setIsDeleting] = useState(false);

  const run = async (doing: string, done: string, action: (document: Document) => Promise<unknown>): Promise<boolean> => {
    setBusy(doing);
    setProblem(null);
    const failed = await doToEach(documents, action);
    if (failed.length) setProblem(stayed(failed));
    setBusy(null);
    await refresh();
    if (failed.length < documents.length) toast(t("documents.doneCountDocument", { done, count: documents.length - failed.length }));
    return !failed.length;
  };
  const download = async (): Promise<void> => {
    setBusy(t("documents.downloading"));
    setProblem(null);
    const [first] = documents;
    try {
      await (first && documents.length === 1 ? actions.download(first) : actions.downloadAll(documents));
    } catch (error) {
      setProblem({ what: t("common.nothingWasDownloaded"), error });
    }
    setBusy(null);
  };
  const blocked = documents.map(extractionBlocked).find(Boolean);
  const wait = busy && t("documents.busyWaitForItToEnd", { busy });

  return (
    <div role="group" aria-label={t("documents.selectedDocuments")} className="sticky top-14 z-20 flex flex-col gap-2 rounded-lg border bg-surface p-2 shadow-float">
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="px-1 font-medium">
          {busy ?? t("documents.countSelected", { count: documents.length })}
        </span>
        <AddTags
          tags={tags}
          disabledBecause={wait}
          count={documents.length}
          onAdd={(ids) => void run(t("documents.tagging"), t("documents.tagged"), (document) => actions.addTags(document, ids))}
        />
        <Button
          small
          icon={Sparkles}
          disabledBecause={wait ?? (blocked && t("documents.notAllCanBeExtractedBlocked", { blocked }))}
          onClick={() => void run(t("documents.startingExtraction"), t("documents.extractionStartedFor"), actions.extractAgain)}
        >
          {t("documents.runExtractionAgain")}
        </Button>
        <RunPromptOn documentIds={documents.map((document) => document.id)} disabledBecause={wait} />
        <Button
          small
          icon={Download}
          disabledBecause={wait}
          onClick={() => void download()}
        >
          {t("common.download")}
        </Button>
        <Button small variant="danger" icon={Trash2} disabledBecause={wait} onClick={() => setIsDeleting(true)}>
          {t("common.delete")}
        </Button>
        <Button small variant="quiet" className="ml-auto" onClick={onClear}>
          {t("documents.clearSelection")}
        </Button>
      </div>
      {isDeleting && (
        <ConfirmDelete
          count={documents.length}
          onCancel={() => setIsDeleting(false)}
          onConfirm={async () => {
            const allGone = await run(t("common.deleting"), t("documents.deleted"), actions.remove);
            setIsDeleting(false);
            if (allGone) onClear();
          }}
        />
      )}
      {problem && (
        <ErrorNote what={problem.what} error={problem.error} onDismiss={() => setProblem(null)}>
          {problem.documentId && (
            <ButtonLink small to={orgPath(`documents/${problem.documentId}`)}>
              {t("documents.showTheDocument")}
            </ButtonLink>
          )}
        </ErrorNote>
      )}
    </div>
  );
}

interface Problem {
  what: string;
  error: unknown;
  /** The document that it is about, if it is one. */
  documentId?: string;
}

function stayed(failures: Failure[]): Problem {
  const error = failures.map((failure) => `${failure.name}: ${failure.message}`).join(" ");
  const documentId = failures.length === 1 ? failures[0]?.documentId : undefined;
  return { what: t("documents.countDocumentStayedAsBefore", { count: failures.length }), error, documentId };
}

interface AddTagsProps {
  tags: Tag[];
  count: number;
  disabledBecause: string | null | false;
  onAdd: (ids: string[]) => void;
}

function AddTags({ tags, count, disabledBecause, onAdd }: AddTagsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string[]>([]);
  const createTag = useCreateTag();
  return (
    <Popover
      label={t("documents.addTagsToTheSelectedDocuments")}
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open && !disabledBecause)}
      trigger={
        <Button small icon={Tags} disabledBecause={disabledBecause}>
          {t("documents.addTags")}
        </Button>
      }
    >
      <TagPicker
        tags={tags}
        selected={chosen}
        onChange={setChosen}
        onCreate={async (name) => (await createTag.mutateAsync({ name })).id}
      />
      <Button
        variant="primary"
        className="mt-2 w-full"
        disabledBecause={!chosen.length && t("documents.chooseATagFirst")}
        onClick={() => {
          onAdd(chosen);
          setChosen([]);
          setIsOpen(false);
        }}
      >
        {t("documents.addToCountDocument", { count })}
      </Button>
    </Popover>
  );
}
