import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";

import { t } from "@/lib/i18n";

import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";
import type { paths } from "./schema";

export type Invitation = Schemas["InvitationOut"];

const OFTEN_MS = 60_000;

/** For what a link alone opens: it works without a session. */
const openly = createClient<paths>({ baseUrl: location.origin });

export function invitationBehind(token: string): Promise<Invitation> {
  return ask(openly.GET("/v0/account/email/invitations/{token}", { params: { path: { token } } }));
}

export async function declineByLink(token: string): Promise<void> {
  await ask(openly.POST("/v0/account/email/invitations/{token}/decline", { params: { path: { token } } }));
}

/** Say yes as whoever is signed in. */
export async function acceptByLink(token: string): Promise<void> {
  await ask(api.POST("/v0/account/email/invitations/{token}/accept", { params: { path: { token } } }));
}

/** Say yes and make the account. */
export async function acceptAsNewcomer(token: string, newcomer: { name: string; password: string }): Promise<void> {
  await ask(openly.POST("/v0/account/email/invitations/{token}/accept", { params: { path: { token } }, body: newcomer }));
}

/** What the signed-in user is asked, whichever organisation is open. */
export function useMyInvitations() {
  return useQuery({
    queryKey: keys.myInvitations(),
    queryFn: async () => (await ask(api.GET("/v0/account/invitations"))).invitations,
    refetchInterval: OFTEN_MS,
  });
}

export function useAnswer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, yes }: { id: string; yes: boolean }) => {
      const params = { path: { invitation_id: id } };
      return ask(
        yes
          ? api.POST("/v0/account/invitations/{invitation_id}/accept", { params })
          : api.POST("/v0/account/invitations/{invitation_id}/decline", { params }),
      );
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.organizations() });
      await queryClient.invalidateQueries({ queryKey: keys.myInvitations() });
    },
  });
}

/** "a member" or "an administrator". */
export function roleWords(role: Invitation["role"]): string {
  return role === "admin" ? t("lib.anAdministrator") : t("lib.aMember");
}
