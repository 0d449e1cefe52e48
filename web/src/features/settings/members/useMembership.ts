import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { membersKey } from "@/lib/api/members";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";


export type Member = Schemas["MemberModel"];

/** Change who belongs to the organisation: the list is read again, changed and written back. */
export function useMembership() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (change: (members: Member[]) => Member[]) => {
      const found = await ask(api.GET("/v0/account/organizations", { params: { query: { organization_id: id } } }));
      const members = change(found.organizations[0]?.members ?? []);
      return ask(
        api.PUT("/v0/account/organizations/{organization_id}", {
          params: { path: { organization_id: id } },
          body: { members },
        }),
      );
    },
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.organizations() }),
        queryClient.invalidateQueries({ queryKey: membersKey(id) }),
      ]);
    },
  });
}

export function withMember(userId: string, role: Member["role"]) {
  return (members: Member[]): Member[] => [...members.filter((member) => member.user_id !== userId), { user_id: userId, role }];
}

export function withRole(userId: string, role: Member["role"]) {
  return (members: Member[]): Member[] => members.map((member) => (member.user_id === userId ? { ...member, role } : member));
}

export function withoutMember(userId: string) {
  return (members: Member[]): Member[] => members.filter((member) => member.user_id !== userId);
}
