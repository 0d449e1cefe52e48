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
  if (!entries) return <Loading what="the documents" />;
  if (!entries.length) return <NoDocuments projectId={projectId} />;
  const entry = entries.find((one) => one.id === document);
  if (missing) return <Loading what="the document" />;
  if (!entry) return <EmptyState title="This document does not exist, or it was deleted. Choose another one." />;
  return <OpenDocument key={entry.id} entry={entry} {...rest} />;
}

function OpenDocument({ entry, ...rest }: Omit<TextPaneProps, "projectId"> & { entry: LivingEntry }) {
  const { view, open } = useOpen();
  const { data: document, error, refetch } = useVersion({ projectId: entry.project_id, documentId: entry.id, version: entry.version });
  const edit = (): void => open({ view: "edit" });
  const showHistory = (): void => open({ view: view === "history" ? "text" : "history" });
  useShortcut({ keys: "e", does: "Edit the text", group: "Document" }, edit, view !== "edit");
  useShortcut({ keys: "h", does: "Show or leave the history", group: "Document" }, showHistory, view !== "edit");
  useCommands([
    { id: "living.edit", label: "Edit the text", keys: "e", run: edit },
    { id: "living.history", label: "Show the history of the document", keys: "h", run: showHistory },
  ]);
  return (
    <article aria-label={entry.name} className="flex min-h-0 flex-1 flex-col bg-surface">
      <Header entry={entry} />
      {error && <ErrorNote className="m-4" what="The document cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!document && !error && <Loading what="the document" />}
      {document && view === "edit" && <TextEditor document={document} onClose={() => open({ view: "text" }, { replace: true })} />}
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
            Version {entry.version}, <RelativeTime date={entry.created_at} /> by {who(entry)}
          </p>
        </div>
        <div className="flex items-center gap-1">
          {view !== "edit" && (
            <Button small icon={Pencil} onClick={() => open({ view: "edit" })}>
              Edit
            </Button>
          )}
          <Button
            small
            icon={HistoryIcon}
            aria-pressed={view === "history"}
            className={view === "history" ? "!bg-accent-soft" : undefined}
            onClick={() => open({ view: view === "history" ? "text" : "history" })}
          >
            History
          </Button>
          <IconButton small icon={Download} label="Download as markdown" onClick={() => void download(address, file).catch(setProblem)} />
        </div>
      </div>
      <EditableText
        title="Standing instruction"
        value={entry.standing_instruction}
        none="none"
        hint="What the agent keeps to whenever it writes in this document. It wins over the project's."
        draft={`living.${entry.id}.instruction`}
        onSave={(standing_instruction) => change.mutateAsync({ standing_instruction })}
        className="-ml-0.5"
      />
      {problem !== null && <ErrorNote className="mb-1" what="Nothing was downloaded." error={problem} onDismiss={() => setProblem(null)} />}
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
      aria-label={`Text of ${document.name}`}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      {left && left.value !== document.content && (
        <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-1.5 text-sm">
          <p className="min-w-0 flex-1">
            You left changes unsaved <RelativeTime date={left.at} />.
          </p>
          <Button small onClick={onEdit}>
            Go on editing
          </Button>
          <Button
            small
            variant="quiet"
            onClick={() => {
              forgetUnsaved(key);
              setLeft(null);
            }}
          >
            Drop them
          </Button>
        </div>
      )}
      {stale.length > 0 && <Stale document={document} count={stale.length} onAsk={onAsk} />}
      {changes.map((call) => (
        <ProposalBar key={call.id} call={call} onDecide={onDecide} />
      ))}
      {document.content.trim() ? (
        <div className="mx-auto max-w-3xl px-6 py-6">
          <Markdown text={document.content} own={citing} top={3} suggested={suggested} inserts={inserts} found={found} />
        </div>
      ) : (
        <EmptyState title="This document is empty. Write it, or ask the agent to.">
          <Button icon={Pencil} onClick={onEdit}>
            Write it
          </Button>
        </EmptyState>
      )}
    </div>
  );
}

function placedHunks(call: WaitingChange): Insert[] {
  return hunksOf(call.preview).map((hunk, number) => ({ line: lineBefore(hunk), content: <ProposedHunk call={call} number={number} /> }));
}
