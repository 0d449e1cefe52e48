import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { ShownOnce } from "@/components/ShownOnce";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { RoleField } from "./RoleField";

import type { Member } from "./useMembership";

type Made = Schemas["NewInvitationOut"];

/** Asks somebody by their address. The link goes by mail where the server sends any, else it is copied here. */
export function Invite({ onDone }: { onDone: () => void }) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Member["role"]>("user");
  const [made, setMade] = useState<Made | null>(null);
  const invite = useMutation({
    mutationFn: () => ask(api.POST("/v0/account/email/invitations", { body: { email: email.trim(), organization_id: id, role } })),
    onSuccess: async (invitation) => {
      if (invitation.link) {
        setMade(invitation);
      } else {
        toast(t("members.theInvitationWasMailedToEmail", { email: invitation.email }));
        onDone();
      }
      await queryClient.invalidateQueries({ queryKey: keys.invitations(id) });
    },
  });
  if (made?.link) {
    return (
      <ShownOnce title={t("members.theInvitation")} noun="link" value={new URL(made.link, location.href).href} onDone={onDone}>
        <strong>{made.email}</strong>{" "}{t("members.canJoinWithThisLinkOnce")}
      </ShownOnce>
    );
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!invite.isPending) invite.mutate();
      }}
    >
      <p className="text-sm text-muted">{t("members.whoeverYouInviteBecomesAMember")}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.eMail")}>
          {(control) => <Input {...control} required autoFocus type="email" autoComplete="off" maxLength={255} value={email} onChange={(event) => setEmail(event.target.value)} />}
        </Field>
        <RoleField role={role} onRole={setRole} />
      </div>
      {invite.error && <ErrorNote what={t("members.couldNotSendTheInvitation")} error={invite.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={invite.isPending && t("members.inviting")}>
          {t("members.invite")}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
