import { Mail } from "lucide-react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { CardFrame } from "@/components/agent/CardFrame";
import { roleWords, useAnswer, useMyInvitations } from "@/lib/api/invitations";
import type { Invitation } from "@/lib/api/invitations";
import { t } from "@/lib/i18n";
import { fullTime } from "@/lib/time";
import { toast } from "@/lib/toasts";

/** Organisations that ask the user to join; nothing if none does. */
export function MyInvitations() {
  const { data = [], error, refetch } = useMyInvitations();
  return (
    <>
      {error && <ErrorNote what={t("inbox.yourInvitationsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {data.map((invitation) => (
        <InvitationCard key={invitation.id} invitation={invitation} />
      ))}
    </>
  );
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const answer = useAnswer();
  const where = invitation.organization_name ?? t("inbox.thisServer");
  const say = (yes: boolean): void =>
    answer.mutate({ id: invitation.id, yes }, { onSuccess: () => toast(yes ? t("inbox.youAreAMemberOfWhere", { where }) : t("inbox.declined")) });
  return (
    <CardFrame label={t("inbox.needsYourApprovalInvitationToWhere", { where })}>
      <header className="flex items-start gap-2 border-b border-warm-line bg-warm-soft px-3 py-2">
        <Mail size={16} aria-hidden className="mt-0.5 shrink-0 text-warm" />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          {t("inbox.invitedByInvitesYouToWhereAs", { invitedBy: invitation.invited_by, where, role: roleWords(invitation.role) })}
        </p>
      </header>
      <div className="flex flex-col gap-3 p-3">
        <p className="text-muted">
          {t("inbox.itsOtherMembersSeeYourName", { fullTime: fullTime(new Date(invitation.expires_at)) })}
        </p>
        {answer.error && <ErrorNote what={t("inbox.youHaveNotJoined")} error={answer.error} />}
        <div className="flex flex-wrap gap-2">
          <Button small variant="primary" busy={answer.isPending && answer.variables.yes && t("common.joining")} onClick={() => say(true)}>
            {t("inbox.joinWhere", { where })}
          </Button>
          <Button small busy={answer.isPending && !answer.variables.yes && t("common.declining")} onClick={() => say(false)}>
            {t("common.decline")}
          </Button>
        </div>
      </div>
    </CardFrame>
  );
}
