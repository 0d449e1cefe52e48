import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { ApiError } from "@/lib/api/errors";
import { acceptByLink, declineByLink, invitationBehind, roleWords } from "@/lib/api/invitations";
import type { Invitation } from "@/lib/api/invitations";
import { signOut, useSession } from "@/lib/api/session";
import type { User } from "@/lib/api/session";
import { rich, t } from "@/lib/i18n";
import { fullTime } from "@/lib/time";
import { useTitle } from "@/lib/title";

import { Door } from "./Door";
import { NewAccountForm } from "./NewAccountForm";
import { PasswordForm } from "./PasswordForm";

export const INVITATION_PATH = "/invitation";

/** What a link invites to. Its secret stands after the `#`, so that no server and no log on the way sees it. */
export function InvitationPage() {
  useTitle(t("signIn.invitation"));
  const token = location.hash.slice(1);
  const [isDeclined, setIsDeclined] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => invitationBehind(token),
    enabled: token !== "",
    staleTime: Infinity,
  });
  if (isDeclined) {
    return (
      <Door title={t("signIn.declined")}>
        <p>{t("signIn.youAreNotAMemberAnd")}</p>
        <ToTheStart />
      </Door>
    );
  }
  if (token === "" || error) return <NotValid error={token === "" ? null : error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Door title={t("signIn.invitation")}>
        <p role="status" className="text-muted">
          {t("signIn.loadingTheInvitation")}
        </p>
      </Door>
    );
  }
  return <Asked token={token} invitation={data} onDeclined={() => setIsDeclined(true)} />;
}

function NotValid({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = error === null || (error instanceof ApiError && error.status === 404);
  return (
    <Door title={t("signIn.thisInvitationCannotBeUsed")}>
      {isGone ? (
        <p>{t("signIn.itWasAlreadyAnsweredOrRevoked")}</p>
      ) : (
        <ErrorNote error={error} onRetry={error instanceof ApiError && error.status < 500 ? undefined : onRetry} />
      )}
      <ToTheStart />
    </Door>
  );
}

function ToTheStart() {
  return (
    <p className="mt-6">
      <a href="/" className="text-accent underline">
        {t("common.goToTheStart")}
      </a>
    </p>
  );
}

interface AskedProps {
  token: string;
  invitation: Invitation;
  onDeclined: () => void;
}

function Asked({ token, invitation, onDeclined }: AskedProps) {
  const session = useSession();
  const user = session.status === "signed-in" || session.status === "ended" ? session.user : null;
  const decline = useMutation({ mutationFn: () => declineByLink(token), onSuccess: onDeclined });
  const where = invitation.organization_name;
  return (
    <Door title={where ? t("signIn.joinWhere", { where }) : t("signIn.createYourAccount")}>
      <p className="mb-4 wrap-anywhere">
        <strong>{invitation.invited_by}</strong>{" "}{where ? t("signIn.invitesYouAsRole", { role: roleWords(invitation.role), fullTime: fullTime(new Date(invitation.expires_at)) }) : t("signIn.invitesYou", { fullTime: fullTime(new Date(invitation.expires_at)) })}
      </p>
      {user === null && <NotSignedIn token={token} invitation={invitation} />}
      {user !== null && (isFor(invitation, user) ? <Join token={token} invitation={invitation} /> : <SomebodyElse invitation={invitation} user={user} />)}
      {decline.error && <ErrorNote className="mt-4" what={t("signIn.theInvitationIsStillOpen")} error={decline.error} />}
      <Button variant="quiet" className="mt-2 w-full" busy={decline.isPending && t("common.declining")} onClick={() => decline.mutate()}>
        {t("common.decline")}
      </Button>
    </Door>
  );
}

function isFor(invitation: Invitation, user: User): boolean {
  return invitation.user_id === user.id || invitation.email.toLowerCase() === user.email.toLowerCase();
}

/** The address where whoever said yes goes on. */
function placeOf(invitation: Invitation): string {
  return invitation.organization_id ? `/orgs/${invitation.organization_id}` : "/";
}

function Join({ token, invitation }: { token: string; invitation: Invitation }) {
  const join = useMutation({
    mutationFn: () => acceptByLink(token),
    onSuccess: () => location.assign(placeOf(invitation)),
  });
  return (
    <>
      {join.error && <ErrorNote className="mb-4" what={t("signIn.youHaveNotJoined")} error={join.error} />}
      <Button variant="primary" className="w-full" busy={join.isPending && t("common.joining")} onClick={() => join.mutate()}>
        {t("signIn.acceptTheInvitation")}
      </Button>
    </>
  );
}

function SomebodyElse({ invitation, user }: { invitation: Invitation; user: User }) {
  const [error, setError] = useState<unknown>(null);
  return (
    <>
      <p className="mb-4 wrap-anywhere">
        {rich("signIn.itIsForStrongAndYou", { strong: <strong>{invitation.email}</strong>, strong2: <strong>{user.email}</strong> })}
      </p>
      {error !== null && <ErrorNote className="mb-4" what={t("common.youAreStillSignedIn")} error={error} />}
      <Button variant="primary" className="w-full" onClick={() => void signOut(() => location.reload()).catch(setError)}>
        {t("signIn.signOutToAcceptIt")}
      </Button>
    </>
  );
}

/** Whether the address has an account is told only to whoever got the link by mail; others say so themselves. */
function NotSignedIn({ token, invitation }: { token: string; invitation: Invitation }) {
  const [isNew, setIsNew] = useState(invitation.user_exists !== true);
  return (
    <>
      {invitation.user_exists === null && (
        <div role="radiogroup" aria-label={t("common.yourAccount")} className="mb-4 flex flex-wrap gap-4">
          <Choice label={t("signIn.iAmNewHere")} checked={isNew} onChoose={() => setIsNew(true)} />
          <Choice label={t("signIn.iHaveAnAccount")} checked={!isNew} onChoose={() => setIsNew(false)} />
        </div>
      )}
      {isNew ? (
        <NewAccountForm token={token} email={invitation.email} then={placeOf(invitation)} />
      ) : (
        <PasswordForm email={invitation.email} />
      )}
    </>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2">
      <input type="radio" checked={checked} onChange={onChoose} className="size-4 accent-(--accent)" /> {label}
    </label>
  );
}
