import { Link } from "@tanstack/react-router";
import { Check, ChevronDown, Hourglass, MessageSquare, X } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import type { TurnFold } from "@/lib/agent/fold";
import type { Proposal, ProposalActions } from "@/lib/api/proposals";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { proposalWords } from "@/lib/proposals";

import { Changes } from "./Changes";
import { Replay } from "./Replay";
import { Strip } from "./Strip";
import { AcceptAndTag } from "./TagForm";

import type { ReactNode } from "react";

export interface ProposedProps {
  proposal: Proposal;
  actions: ProposalActions;
  /** Opens the conversation in which the proposal was made, or a new one. */
  onRefine: (threadId: string | null) => void;
  /** A turn, as the conversation with the agent shows it. */
  show: (turn: TurnFold) => ReactNode;
}

type Part = "changes" | "replay";

/** A proposal that waits for a verdict. */
export function Proposed({ proposal, actions: { accept, reject }, onRefine, show }: ProposedProps) {
  const orgPath = useOrgPath();
  const [shown, setShown] = useState<Part | null>(null);
  const others = proposal.documents_waiting - 1;
  const error = accept.error ?? reject.error;
  const busy = accept.isPending ? t("proposals.accepting") : reject.isPending ? t("common.rejecting") : null;
  const wait = busy && t("proposals.busyWaitForItToEnd", { busy });
  const acceptWith = (tagName?: string): void => accept.mutate({ tagName });
  const toggle = (part: Part): void => setShown(shown === part ? null : part);
  return (
    <Strip
      look="warm"
      icon={Hourglass}
      actions={
        <>
          <Button small variant="primary" icon={Check} busy={accept.isPending && t("proposals.accepting")} disabledBecause={wait} onClick={() => acceptWith()}>
            {t("proposals.keep")}
          </Button>
          <AcceptAndTag suggested={proposal.schema?.name ?? proposal.prompt?.name ?? ""} disabledBecause={wait} onAccept={acceptWith} />
          <Button small icon={MessageSquare} onClick={() => onRefine(proposal.thread_id)}>
            {t("proposals.changeFields")}
          </Button>
          <Button small icon={X} busy={reject.isPending && t("common.rejecting")} disabledBecause={wait} onClick={() => reject.mutate()}>
            {t("proposals.notThis")}
          </Button>
        </>
      }
      below={
        shown === "changes" ? <Changes proposal={proposal} /> : shown === "replay" ? <Replay documentId={proposal.document_id} show={show} /> : null
      }
    >
      <p className="wrap-anywhere">
        <bdi>{proposalWords(proposal)}</bdi>
      </p>
      {proposal.is_new && proposal.reason && <p className="text-sm wrap-anywhere text-muted">{proposal.reason}</p>}
      <p className="-ml-2 flex flex-wrap items-center gap-x-1 text-sm">
        <Opens isOpen={shown === "changes"} onToggle={() => toggle("changes")}>
          {t("proposals.whatAcceptingChanges")}
        </Opens>
        {proposal.turn_id && (
          <Opens isOpen={shown === "replay"} onToggle={() => toggle("replay")}>
            {t("proposals.showHowItWasMade")}
          </Opens>
        )}
        {others > 0 && (
          <Link to={orgPath("proposals")} className="px-2 text-accent underline underline-offset-2">
            {others === 1 ? t("proposals.oneOtherDocumentWaitsWithIt") : t("proposals.countOtherDocumentWaitWithIt", { others })}
          </Link>
        )}
      </p>
      {error && <ErrorNote what={t("common.nothingWasDecided")} error={error} />}
    </Strip>
  );
}

function Opens({ isOpen, onToggle, children }: { isOpen: boolean; onToggle: () => void; children: ReactNode }) {
  return (
    <Button small variant="quiet" aria-expanded={isOpen} onClick={onToggle} className="font-normal">
      {children} <ChevronDown size={13} aria-hidden className={isOpen ? "rotate-180" : undefined} />
    </Button>
  );
}
