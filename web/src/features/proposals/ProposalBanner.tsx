import { Ban, CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { NextStep } from "@/components/Thread";
import { emptyTurn, foldAll } from "@/lib/agent/fold";
import { useProposal, useProposalActions, useProposalLog } from "@/lib/api/proposals";
import type { Proposal, ProposalActions } from "@/lib/api/proposals";
import { useThread } from "@/lib/api/thread";
import { isPreparing } from "@/lib/documentState";
import type { Document } from "@/lib/documentState";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";

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
  if (error) return <ErrorNote className="m-2" what={t("proposals.theProposalCannotBeShown")} error={error} onRetry={() => void refetch()} />;
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
        {isRunning ? t("proposals.theAgentIsPreparingAProposal") : t("proposals.theAgentPreparesAProposalAs")}
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
      {t("proposals.stepStepOfAtMostMaxSteps", { step: turn.step, maxSteps: turn.maxSteps })}
    </span>
  );
}

function Accepted({ proposal, tagName, onDismiss }: { proposal: Proposal; tagName?: string; onDismiss: () => void }) {
  const { schema, prompt } = proposal;
  const what = schema ? t("proposals.theResultIsKeptAndSo", { name: quoted(schema.name) }) : t("proposals.theResultAndItsPromptAre");
  return (
    <Strip
      look="good"
      icon={CircleCheck}
      actions={
        <>
          <NextStep pile={useThread()} small />
          <Button small variant="quiet" onClick={onDismiss}>
            {t("common.dismiss")}
          </Button>
        </>
      }
    >
      <p role="status">
        {t("proposals.acceptedWhat", { what })}{" "}
        {tagName
          ? t("proposals.documentsWithTheTagTagNameAre", { tagName: quoted(tagName) })
          : !prompt?.tag_ids.length && t("proposals.giveThePromptATagAnd")}
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
          <Button small busy={restore.isPending && t("common.undoing")} onClick={() => restore.mutate()}>
            {t("common.undo")}
          </Button>
          <Button small busy={retry.isPending && t("common.starting")} onClick={() => retry.mutate()}>
            {t("common.tryAgain")}
          </Button>
          <Button small variant="quiet" onClick={onDismiss}>
            {t("common.dismiss")}
          </Button>
        </>
      }
    >
      <p className="text-muted">{t("proposals.theProposalWasRejectedNothingOf")}</p>
      {error && <ErrorNote what={t("proposals.theProposalIsStillRejected")} error={error} />}
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
              {t("proposals.showHowItWent")}
            </Button>
          )}
          <Button small busy={retry.isPending && t("common.starting")} onClick={() => retry.mutate()}>
            {t("common.tryAgain")}
          </Button>
        </>
      }
      below={replays && <Replay documentId={proposal.document_id} show={show} />}
    >
      <p>
        {t("proposals.theAgentCouldNotPrepareA")}{" "}<span className="text-muted wrap-anywhere">{t("proposals.errorNothingWasChanged", { error: proposal.error })}</span>
      </p>
      {retry.error && <ErrorNote what={t("proposals.itWasNotStartedAgain")} error={retry.error} />}
    </Strip>
  );
}
