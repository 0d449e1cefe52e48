import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { ShownOnce } from "@/components/ShownOnce";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
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
        toast(`The invitation was mailed to ${invitation.email}.`);
        onDone();
      }
      await queryClient.invalidateQueries({ queryKey: keys.invitations(id) });
    },
  });
  if (made?.link) {
    return (
      <ShownOnce title="The invitation" noun="link" value={new URL(made.link, location.href).href} onDone={onDone}>
        <strong>{made.email}</strong> can join with this link, once. Copy it now and hand it over: it is shown this one time only.
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
      <p className="text-sm text-muted">Whoever you invite becomes a member when they accept, with the account of this address or a new one.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="E-mail">
          {(control) => <Input {...control} required autoFocus type="email" autoComplete="off" maxLength={255} value={email} onChange={(event) => setEmail(event.target.value)} />}
        </Field>
        <RoleField role={role} onRole={setRole} />
      </div>
      {invite.error && <ErrorNote what="Could not send the invitation." error={invite.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={invite.isPending && "Inviting"}>
          Invite
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
