import { useQuery } from "@tanstack/react-query";

import { api, ask } from "./client";
import { keys } from "./queries";
import { useUser } from "./session";

const MOST = 100;

/** The organisations to which the signed-in user belongs; the server's administrator would be told all others too. */
export function useOrganizations() {
  const { id } = useUser();
  return useQuery({
    queryKey: keys.organizations(),
    queryFn: async () => {
      const found = await ask(api.GET("/v0/account/organizations", { params: { query: { user_id: id, limit: MOST } } }));
      return found.organizations;
    },
    staleTime: 60_000,
  });
}
