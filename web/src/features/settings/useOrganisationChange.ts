import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { membersKey } from "@/lib/api/members";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";
import { inOrder } from "@/lib/wished";


/** Change the organisation; what is left out stays. */
export function useOrganisationChange() {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    ...inOrder(`organisation ${id}`),
    mutationFn: (body: Schemas["OrganizationChangesIn"]) =>
      ask(api.PUT("/v0/account/organizations/{organization_id}", { params: { path: { organization_id: id } }, body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.organizations() });
      await queryClient.invalidateQueries({ queryKey: membersKey(id) });
    },
  });
}
