import { Download, History as HistoryIcon, Pencil } from "lucide-react";
import { useEffect, useMemo, useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Markdown } from "@/components/Markdown";
import type { Insert, OwnLinks } from "@/components/Markdown";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { hunksOf } from "@/lib/agent/previews";
import { useProjectDocuments, useVersion } from "@/lib/api/projects";
import type { LivingDocument, LivingEntry } from "@/lib/api/projects";
import { useCommands } from "@/lib/commands";
import { download } from "@/lib/download";
import { forgetUnsaved, recallUnsaved } from "@/lib/drafts";
import type { Unsaved } from "@/lib/drafts";
import { rich, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useShortcut } from "@/lib/shortcuts";

import { EditableText } from "./EditableText";
import { History } from "./History";
import { NoDocuments } from "./NoDocuments";
import { ProposalBar, ProposedHunk } from "./Proposals";
import { Stale } from "./Stale";
import { TextEditor } from "./TextEditor";
import { changesOf, lineBefore, suggestedLines } from "./suggestions";
import { useCitations } from "./useCitations";
import { useLivingChanges } from "./useLivingChanges";
import { useFoundLine, useOpen } from "./useOpen";
import { useWho } from "./who";

import type { Decide } from "./Proposals";
import type { WaitingChange } from "./suggestions";

interface TextPaneProps {
  projectId: string;
  /** Changes of the project's documents that wait for the user. */
  waiting: readonly WaitingChange[];
  onDecide: Decide;
  own?: OwnLinks;
  /** Asks the agent for something. */
  onAsk?: (text: string) => void;
}

/** The middle pane: the open document. Without one in the address, the one that changed last is opened. */
export function TextPane({ projectId, ...rest }: TextPaneProps) {
  const { data: entries } = useProjectDocuments(projectId);
  const { document, open } = useOpen();
  const last = entries?.reduce<LivingEntry | null>((best, one) => (best && best.created_at >= one.created_at ? best : one), null);
  const missing = document === null && last ? last.id : null;
  useEffect(() => {
    if (missing) open({ document: missing }, { itself: true });
  }, [missing, open]);
  if (!entries) return <Loading what={t("projects.theDocuments")} />;
  if (!entries.length) return <NoDocuments projectId={projectId} />;
  const entry = entries.find((one) => one.id === document);
  if (missing) return <Loading what={t("common.theDocument")} />;
  if (!entry) return <EmptyState title={t("projects.thisDocumentDoesNotExistOr")} />;
  return <OpenDocument key={entry.id} entry={entry} {...rest} />;
}

function OpenDocument({ entry, ...rest }: Omit<TextPaneProps, "projectId"> & { entry: LivingEntry }) {
  const { view, open } = useOpen();
  const { data: document, error, refetch } = useVersion({ projectId: entry.project_id, documentId: entry.id, version: entry.version });
  const edit = (): void => open({ view: "edit" });
  const showHistory = (): void => open({ view: view === "history" ? "text" : "history" });
  useShortcut({ keys: "e", does: t("projects.editTheText"), group: t("common.document") }, edit, view !== "edit");
  useShortcut({ keys: "h", does: t("projects.showOrLeaveTheHistory"), group: t("common.document") }, showHistory, view !== "edit");
  useCommands([
    { id: "living.edit", label: t("projects.editTheText"), keys: "e", run: edit },
    { id: "living.history", label: t("projects.showTheHistoryOfTheDocument"), keys: "h", run: showHistory },
  ]);
  return (
    <article aria-label={entry.name} className="flex min-h-0 flex-1 flex-col bg-surface">
      <Header entry={entry} />
      {error && <ErrorNote className="m-4" what={t("common.theDocumentCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!document && !error && <Loading what={t("common.theDocument")} />}
      {document && view === "edit" && <TextEditor document={document} own={rest.own} onClose={() => open({ view: "text" }, { replace: true })} />}
      {document && view === "history" && <History entry={entry} />}
      {document && view === "text" && <Reading document={document} {...rest} onEdit={edit} />}
    </article>
  );
}

function Header({ entry }: { entry: LivingEntry }) {
  const { id } = useOrganization();
  const { view, open } = useOpen();
  const who = useWho();
  const { change } = useLivingChanges(entry.project_id, entry.id);
  const [problem, setProblem] = useState<unknown>(null);
  const address = `/v0/orgs/${id}/projects/${entry.project_id}/documents/${entry.id}/download`;
  const file = entry.name.toLowerCase().endsWith(".md") ? entry.name : `${entry.name}.md`;
  return (
    <header className="shrink-0 border-b px-4 pt-2 pb-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-32 flex-1">
          <h2 className="truncate text-lg">{entry.name}</h2>
          <p className="truncate text-xs text-muted">
            {rich("projects.versionVersionRelativeTimeByWho", { version: entry.version, relativeTime: <RelativeTime date={entry.created_at} />, who: who(entry) })}
          </p>
        </div>
        <div className="flex items-center gap-1">
          {view !== "edit" && (
            <Button small icon={Pencil} onClick={() => open({ view: "edit" })}>
              {t("common.edit")}
            </Button>
          )}
          <Button
            small
            icon={HistoryIcon}
            aria-pressed={view === "history"}
            className={view === "history" ? "!bg-accent-soft" : undefined}
            onClick={() => open({ view: view === "history" ? "text" : "history" })}
          >
            {t("projects.history")}
          </Button>
          <IconButton small icon={Download} label={t("projects.downloadAsMarkdown")} onClick={() => void download(address, file).catch(setProblem)} />
        </div>
      </div>
      <EditableText
        title={t("projects.standingInstruction")}
        value={entry.standing_instruction}
        none={t("common.none")}
        hint={t("projects.whatTheAgentKeepsToWhenever")}
        draft={`living.${entry.id}.instruction`}
        onSave={(standing_instruction) => change.mutateAsync({ standing_instruction })}
        className="-ml-0.5"
      />
      {problem !== null && <ErrorNote className="mb-1" what={t("common.nothingWasDownloaded")} error={problem} onDismiss={() => setProblem(null)} />}
    </header>
  );
}

interface ReadingProps extends Omit<TextPaneProps, "projectId"> {
  document: LivingDocument;
  onEdit: () => void;
}

/** The text, as text, with what the agent would like to change in its places. */
function Reading({ document, waiting, onDecide, own, onEdit, onAsk }: ReadingProps) {
  const changes = useMemo(() => changesOf(waiting, document), [waiting, document]);
  const suggested = useMemo(() => suggestedLines(changes.map(({ preview }) => preview), document), [changes, document]);
  const inserts = useMemo(() => changes.flatMap(placedHunks).sort((one, other) => one.line - other.line), [changes]);
  const key = `living.${document.id}`;
  const found = useFoundLine();
  const [left, setLeft] = useState<Unsaved<string> | null>(null);
  // Read after an editor that is going away has kept what was typed last.
  useEffect(() => setLeft(recallUnsaved<string>(key)), [key]);
  const { citing, stale } = useCitations(document, own);
  return (
    <div
      // What scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      data-scrolls
      aria-label={t("projects.textOfName", { name: document.name })}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      {left && left.value !== document.content && (
        <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-1.5 text-sm">
          <p className="min-w-0 flex-1">
            {rich("projects.youLeftChangesUnsavedRelativeTime", { relativeTime: <RelativeTime date={left.at} /> })}
          </p>
          <Button small onClick={onEdit}>
            {t("common.keepEditing")}
          </Button>
          <Button
            small
            variant="quiet"
            onClick={() => {
              forgetUnsaved(key);
              setLeft(null);
            }}
          >
            {t("common.dropThem")}
          </Button>
        </div>
      )}
      {stale.length > 0 && <Stale document={document} stale={stale} onAsk={onAsk} />}
      {changes.map((call) => (
        <ProposalBar key={call.id} call={call} onDecide={onDecide} />
      ))}
      {document.content.trim() ? (
        <div className="mx-auto max-w-3xl px-6 py-6">
          <Markdown text={document.content} own={citing} top={3} suggested={suggested} inserts={inserts} found={found} />
        </div>
      ) : (
        <EmptyState title={t("projects.thisDocumentIsEmptyWriteIt")}>
          <Button icon={Pencil} onClick={onEdit}>
            {t("projects.writeIt")}
          </Button>
        </EmptyState>
      )}
    </div>
  );
}

function placedHunks(call: WaitingChange): Insert[] {
  return hunksOf(call.preview).map((hunk, number) => ({ line: lineBefore(hunk), content: <ProposedHunk call={call} number={number} /> }));
}
