import { Mail } from "lucide-react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { CardFrame } from "@/components/agent/CardFrame";
import { roleWords, useAnswer, useMyInvitations } from "@/lib/api/invitations";
import type { Invitation } from "@/lib/api/invitations";
import { fullTime } from "@/lib/time";
import { toast } from "@/lib/toasts";

/** Organisations that ask the user to join; nothing if none does. */
export function MyInvitations() {
  const { data = [], error, refetch } = useMyInvitations();
  return (
    <>
      {error && <ErrorNote what="Your invitations cannot be shown." error={error} onRetry={() => void refetch()} />}
      {data.map((invitation) => (
        <InvitationCard key={invitation.id} invitation={invitation} />
      ))}
    </>
  );
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const answer = useAnswer();
  const where = invitation.organization_name ?? "this server";
  const say = (yes: boolean): void =>
    answer.mutate({ id: invitation.id, yes }, { onSuccess: () => toast(yes ? `You are a member of ${where} now.` : "Declined.") });
  return (
    <CardFrame label={`Needs your approval: invitation to ${where}`}>
      <header className="flex items-start gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <Mail size={16} aria-hidden className="mt-0.5 shrink-0 text-warm" />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          {invitation.invited_by} invites you to {where} as {roleWords(invitation.role)}
        </p>
      </header>
      <div className="flex flex-col gap-3 p-3">
        <p className="text-muted">
          Its other members see your name and address when you have joined. You can join until {fullTime(new Date(invitation.expires_at))}.
        </p>
        {answer.error && <ErrorNote what="You have not joined." error={answer.error} />}
        <div className="flex flex-wrap gap-2">
          <Button small variant="primary" busy={answer.isPending && answer.variables.yes && "Joining"} onClick={() => say(true)}>
            Join {where}
          </Button>
          <Button small busy={answer.isPending && !answer.variables.yes && "Declining"} onClick={() => say(false)}>
            Decline
          </Button>
        </div>
      </div>
    </CardFrame>
  );
}
