import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { api, ask } from "@/lib/api/client";
import type { Invitation } from "@/lib/api/invitations";
import { everything } from "@/lib/api/pages";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { fullTime } from "@/lib/time";
import { toast } from "@/lib/toasts";

/** Who has not answered yet; nothing if nobody is asked. For administrators. */
export function OpenInvitations() {
  const { id } = useOrganization();
  const { data, error, refetch } = useQuery({
    queryKey: keys.invitations(id),
    queryFn: () =>
      everything(async (skip, limit) => {
        const found = await ask(api.GET("/v0/account/email/invitations", { params: { query: { organization_id: id, skip, limit } } }));
        return { items: found.invitations, total: found.total_count };
      }),
  });
  if (error) return <ErrorNote what={t("members.openInvitationsCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data?.length) return null;
  return (
    <section aria-labelledby="open-invitations" className="flex flex-col gap-2">
      <h2 id="open-invitations" className="text-base">
        {t("members.notAnsweredYet")}
      </h2>
      <Table label={t("members.openInvitations")}>
        <thead>
          <tr>
            <Th>{t("members.invited")}</Th>
            <Th>{t("members.role")}</Th>
            <Th className="max-sm:hidden">{t("members.openUntil")}</Th>
            <Th>
              <span className="sr-only">{t("common.actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const whom = invitation.email || t("members.theAccountUserId", { userId: invitation.user_id ?? "" });
  const revoke = useMutation({
    mutationFn: () => ask(api.DELETE("/v0/account/invitations/{invitation_id}", { params: { path: { invitation_id: invitation.id } } })),
    onSuccess: () => toast(t("members.invitationRevoked")),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invitations(id) }),
  });
  return (
    <Tr>
      <Td>
        <span className="wrap-anywhere">
          {invitation.email || (
            <>
              {t("members.anAccountByItsId")}{" "}<span className="font-mono text-sm">{invitation.user_id}</span>
            </>
          )}
        </span>
        <span className="block text-sm text-muted">{t("members.byInvitedBy", { invitedBy: invitation.invited_by })}</span>
      </Td>
      <Td>{invitation.role === "admin" ? t("members.administrator") : t("members.member")}</Td>
      <Td className="text-muted max-sm:hidden">
        {fullTime(new Date(invitation.expires_at))}
      </Td>
      <Td className="text-right">
        {revoke.error && <ErrorNote what={t("members.itIsStillOpen")} error={revoke.error} />}
        <Button small variant="quiet" aria-label={t("members.revokeTheInvitationOfWhom", { whom })} busy={revoke.isPending && t("common.revoking")} onClick={() => revoke.mutate()}>
          {t("common.revoke")}
        </Button>
      </Td>
    </Tr>
  );
}
