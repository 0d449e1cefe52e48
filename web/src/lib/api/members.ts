import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";

import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

import { api, ask } from "./client";
import { everything } from "./pages";

export const membersKey = (organizationId: string) => [organizationId, "members"] as const;

/** The users who belong to the organisation. */
export function useMembers() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: membersKey(id),
    queryFn: () =>
      everything(async (skip, limit) => {
        const found = await ask(
          api.GET("/v0/account/users", { params: { query: { organization_id: id, skip, limit } } }),
        );
        return { items: found.users, total: found.total_count };
      }),
    staleTime: 60_000,
  });
}

/** A user's name by their id; somebody who is no longer a member has none. */
export function useNameOf(): (userId: string | null | undefined) => string {
  const { data } = useMembers();
  return useCallback(
    (userId) => {
      const user = data?.find((item) => item.id === userId);
      if (user) return user.name || user.email;
      return data && userId ? t("lib.aFormerMember") : "";
    },
    [data],
  );
}
