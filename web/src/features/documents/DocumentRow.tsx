import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { StateMark } from "@/components/Badge";
import { DocumentStateMark } from "@/components/DocumentStateMark";
import { Checkbox } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { Td, Tr } from "@/components/Table";
import type { Waiting } from "@/lib/api/inbox";
import type { Tag } from "@/lib/api/tags";
import { cx } from "@/lib/cx";
import { proposalStanding, standing } from "@/lib/documentState";
import type { Document, Facts } from "@/lib/documentState";
import { fileSize, words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { USUAL, writtenDate } from "@/lib/written";

import { ConfirmDelete, RenameForm } from "./RowForms";
import { RowMenu } from "./RowMenu";
import { RowTags } from "./RowTags";
import { Thumbnail } from "./Thumbnail";
import { useDocumentActions } from "./actions";
import { useRefreshDocuments } from "./useDocuments";

import type { Room } from "./room";

const SELECTED = "bg-accent-soft hover:bg-accent-soft";

interface DocumentRowProps {
  document: Document;
  room: Room;
  tags: Tag[];
  facts: Facts | undefined;
  /** What waits for the user on this document. */
  waiting: Waiting | undefined;
  isSelected: boolean;
  onToggle: () => void;
}

export function DocumentRow({ document, room, tags, facts, waiting, isSelected, onToggle }: DocumentRowProps) {
  const orgPath = useOrgPath();
  const actions = useDocumentActions();
  const refresh = useRefreshDocuments();
  const [doing, setDoing] = useState<"renaming" | "deleting" | null>(null);
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);

  const act = async (what: string, action: () => Promise<unknown>): Promise<boolean> => {
    setProblem(null);
    try {
      await action();
      await refresh();
      return true;
    } catch (error) {
      setProblem({ what, error });
      return false;
    }
  };
  const rowTags = (
    <RowTags
      document={document}
      tags={tags}
      onChange={(ids) => act(t("documents.theTagsAreAsTheyWere"), () => actions.setTags(document, ids))}
    />
  );

  const { reason } = standing(document, facts);

  return (
    <>
      <Tr className={cx(isSelected && SELECTED, reason && "!border-b-0")} aria-label={document.document_name}>
        <Td className="w-9 !pr-0 max-md:align-top">
          <Checkbox
            hideLabel
            label={t("documents.selectDocumentName", { documentName: document.document_name })}
            checked={isSelected}
            onChange={onToggle}
          />
        </Td>
        <Td className="w-10 !pr-0 max-md:align-top">
          <Thumbnail document={document} />
        </Td>
        <Td className="max-w-0 min-w-48 md:w-1/3">
          {doing === "renaming" ? (
            <RenameForm
              name={document.document_name}
              onCancel={() => setDoing(null)}
              onRename={async (name) => {
                if (await act(t("documents.theNameWasNotChanged"), () => actions.rename(document, name))) setDoing(null);
              }}
            />
          ) : (
            <Link
              to={orgPath(`documents/${document.id}`)}
              title={document.document_name}
              className="block truncate font-medium hover:text-accent hover:underline"
            >
              {document.document_name}
            </Link>
          )}
          <p className="truncate text-xs text-muted">
            {document.page_count ? t("documents.countPage", { pageCount: document.page_count }) : ""}
            {fileSize(document.size)}
            {!room.forState && (
              <>
                , <RelativeTime date={document.upload_date} />
              </>
            )}
          </p>
          {!room.forAll && (
            <div className="flex flex-wrap items-center gap-x-3">
              {!room.forState && <DocumentStateMark document={document} facts={facts} />}
              {!room.forState && <Prepared document={document} />}
              {!room.forState && waiting && <Waits waiting={waiting} />}
              {rowTags}
            </div>
          )}
          {doing === "deleting" && (
            <ConfirmDelete
              count={1}
              onCancel={() => setDoing(null)}
              onConfirm={async () => {
                if (!(await act(t("documents.theDocumentIsStillHere"), () => actions.remove(document)))) setDoing(null);
              }}
            />
          )}
          {problem && (
            <ErrorNote className="my-1" what={problem.what} error={problem.error} onDismiss={() => setProblem(null)} />
          )}
        </Td>
        {room.forAll && <Td className="min-w-48">{rowTags}</Td>}
        {room.forState && (
          <Td className="max-w-52 min-w-32">
            <DocumentStateMark document={document} facts={facts} />
            <Prepared document={document} />
            {waiting && <Waits waiting={waiting} />}
          </Td>
        )}
        {room.forAll && (
          <Td className="max-w-72 min-w-44">
            <Values values={facts?.values ?? []} />
          </Td>
        )}
        {room.forState && (
          <Td className="text-muted">
            <RelativeTime date={document.upload_date} />
          </Td>
        )}
        {room.forUploader && (
          <Td className="max-w-40 truncate text-muted" title={document.uploaded_by}>
            {document.uploaded_by}
          </Td>
        )}
        <Td className="w-10 !pl-0 max-md:align-top">
          <RowMenu
            document={document}
            onRename={() => setDoing("renaming")}
            onDelete={() => setDoing("deleting")}
            onDownload={() => void act(t("documents.theFileWasNotDownloaded"), () => actions.download(document))}
            onExtract={() => void act(t("documents.extractionDidNotStart"), () => actions.extractAgain(document))}
          />
        </Td>
      </Tr>
      {reason && <Reason isSelected={isSelected}>{reason}</Reason>}
    </>
  );
}

/** Why a document stands where it stands, below it and as wide as the table. */
function Reason({ isSelected, children }: { isSelected: boolean; children: string }) {
  return (
    <Tr className={cx(isSelected && SELECTED)}>
      <Td className="!h-auto !py-0" />
      <Td colSpan={20} className="!h-auto !pt-0 !pb-2 text-sm text-muted">
        {children}
      </Td>
    </Tr>
  );
}

/** What the agent prepared for the document; leads to it. */
function Prepared({ document }: { document: Document }) {
  const orgPath = useOrgPath();
  const prepared = proposalStanding(document);
  if (!prepared) return null;
  return (
    <Link to={orgPath(`documents/${document.id}`)} title={prepared.reason} className="flex min-w-0 hover:underline">
      <StateMark state={prepared.mark}>{prepared.text}</StateMark>
    </Link>
  );
}

/** Leads to the conversation that waits. */
function Waits({ waiting }: { waiting: Waiting }) {
  const orgPath = useOrgPath();
  return (
    <Link
      to={orgPath(`documents/${waiting.document_id}`)}
      search={{ tab: "agent", thread: waiting.thread_id ?? undefined }}
      title={waiting.question ?? waiting.calls[0]?.summary ?? waiting.message}
      className="flex min-w-0 hover:underline"
    >
      <StateMark state="waits-for-you">{t("documents.waitsForYou")}</StateMark>
    </Link>
  );
}

/** The values alone, as one recognises a document by them; their names are the hint. */
function Values({ values }: { values: Facts["values"] }) {
  const hint = values.map((item) => `${words(item.name)}: ${writtenDate(item.value, USUAL)}`).join("\n");
  return (
    <ul title={hint} className="line-clamp-2 text-sm">
      {values.map((item, index) => (
        <li key={item.name} className="inline-block max-w-full truncate align-bottom whitespace-pre">
          <span className="sr-only">{words(item.name)}: </span>
          {writtenDate(item.value, USUAL)}
          {index < values.length - 1 && <span className="text-muted"> · </span>}
        </li>
      ))}
    </ul>
  );
}
