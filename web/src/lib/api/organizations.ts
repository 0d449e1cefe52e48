import { useQuery } from "@tanstack/react-query";

import { api, ask } from "./client";
import { keys } from "./queries";

const MOST = 100;

/** The organisations of the signed-in user. */
export function useOrganizations() {
  return useQuery({
    queryKey: keys.organizations(),
    queryFn: async () => {
      const found = await ask(api.GET("/v0/account/organizations", { params: { query: { limit: MOST } } }));
      return found.organizations;
    },
    staleTime: 60_000,
  });
}
