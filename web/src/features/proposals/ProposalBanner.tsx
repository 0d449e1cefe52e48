import { Ban, CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { emptyTurn, foldAll } from "@/lib/agent/fold";
import { useProposal, useProposalActions, useProposalLog } from "@/lib/api/proposals";
import type { Proposal, ProposalActions } from "@/lib/api/proposals";
import { isPreparing } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { quoted } from "@/lib/format";

import { Proposed } from "./Proposed";
import { Replay } from "./Replay";
import { Strip } from "./Strip";

import type { ProposedProps } from "./Proposed";

type ProposalBannerProps = Pick<ProposedProps, "onRefine" | "show"> & { document: Document };

/** What the agent prepared for a document by itself, and what a person decides about it. Nothing where there is nothing. */
export function ProposalBanner({ document, onRefine, show }: ProposalBannerProps) {
  const { data: proposal, error, refetch } = useProposal(document);
  // Here, because each state is shown by another component and a verdict outlives the one in which it was given.
  const actions = useProposalActions(document.id);
  const [isDismissed, setIsDismissed] = useState(false);
  const dismiss = (): void => setIsDismissed(true);
  if (error) return <ErrorNote className="m-2" what="The proposal cannot be shown." error={error} onRetry={() => void refetch()} />;
  if (isPreparing(document)) return <Preparing document={document} />;
  if (!proposal) return null;
  switch (document.auto_create_status) {
    case "proposed":
      return <Proposed proposal={proposal} actions={actions} onRefine={onRefine} show={show} />;
    case "accepted":
      // Said to whoever has just accepted it, and to nobody who comes later.
      return actions.accept.variables === undefined || isDismissed ? null : (
        <Accepted proposal={proposal} tagName={actions.accept.variables.tagName} onDismiss={dismiss} />
      );
    case "rejected":
      return isDismissed ? null : <Rejected actions={actions} onDismiss={dismiss} />;
    case "failed":
      return <Failed proposal={proposal} actions={actions} show={show} />;
    default:
      return null;
  }
}

function Preparing({ document }: { document: Document }) {
  const isRunning = document.auto_create_status === "running";
  return (
    <Strip look="working" icon={LoaderCircle}>
      <p role="status">
        {isRunning ? "The agent is preparing a proposal." : "The agent prepares a proposal as soon as the document is read."}
        {isRunning && <Step documentId={document.id} />}
      </p>
    </Strip>
  );
}

/** How far the agent is: "Step 2 of at most 10". */
function Step({ documentId }: { documentId: string }) {
  const { data } = useProposalLog(documentId, true);
  const turn = data && foldAll(emptyTurn(data.turnId), data.events);
  if (!turn?.step) return null;
  return (
    <span className="text-muted">
      {" "}
      Step {turn.step} of at most {turn.maxSteps}.
    </span>
  );
}

function Accepted({ proposal, tagName, onDismiss }: { proposal: Proposal; tagName?: string; onDismiss: () => void }) {
  const { schema, prompt } = proposal;
  const what = schema ? `The result is kept, and so are schema ${quoted(schema.name)} and its prompt.` : "The result and its prompt are kept.";
  return (
    <Strip
      look="good"
      icon={CircleCheck}
      actions={
        <Button small variant="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <p role="status">
        Accepted. {what}{" "}
        {tagName
          ? `Documents with the tag ${quoted(tagName)} are processed by themselves from now on.`
          : !prompt?.tag_ids.length && "Give the prompt a tag, and documents with that tag are processed by themselves."}
      </p>
    </Strip>
  );
}

function Rejected({ actions: { restore, retry }, onDismiss }: { actions: ProposalActions; onDismiss: () => void }) {
  const error = restore.error ?? retry.error;
  return (
    <Strip
      look="quiet"
      icon={Ban}
      actions={
        <>
          <Button small busy={restore.isPending && "Undoing"} onClick={() => restore.mutate()}>
            Undo
          </Button>
          <Button small busy={retry.isPending && "Starting"} onClick={() => retry.mutate()}>
            Try again
          </Button>
          <Button small variant="quiet" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      <p className="text-muted">The proposal was rejected. Nothing of it is kept in your lists.</p>
      {error && <ErrorNote what="The proposal is still rejected." error={error} />}
    </Strip>
  );
}

function Failed({ proposal, actions: { retry }, show }: Omit<ProposedProps, "onRefine">) {
  const [replays, setReplays] = useState(false);
  return (
    <Strip
      look="bad"
      icon={CircleAlert}
      actions={
        <>
          {proposal.turn_id && (
            <Button small variant="quiet" aria-expanded={replays} onClick={() => setReplays(!replays)}>
              Show how it went
            </Button>
          )}
          <Button small busy={retry.isPending && "Starting"} onClick={() => retry.mutate()}>
            Try again
          </Button>
        </>
      }
      below={replays && <Replay documentId={proposal.document_id} show={show} />}
    >
      <p>
        The agent could not prepare a proposal. <span className="text-muted wrap-anywhere">{proposal.error} Nothing was changed.</span>
      </p>
      {retry.error && <ErrorNote what="It was not started again." error={retry.error} />}
    </Strip>
  );
}
