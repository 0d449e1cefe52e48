import { useNavigate } from "@tanstack/react-router";

import { useOrganization } from "@/lib/organization";

/** Go to a page of this organisation, or of another one. */
export function useGo(): (path: string, organizationId?: string) => void {
  const { id } = useOrganization();
  const navigate = useNavigate();
  return (path, organizationId = id) => void navigate({ to: `/orgs/${organizationId}${path ? `/${path}` : ""}` });
}
