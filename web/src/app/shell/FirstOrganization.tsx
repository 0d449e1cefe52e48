import { Navigate } from "@tanstack/react-router";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { useOrganizations } from "@/lib/api/organizations";
import { recall } from "@/lib/remembered";

import { BarePage } from "./BarePage";

/** Opens the organisation that was used last, or the first one. */
export function FirstOrganization() {
  const { data, error, refetch } = useOrganizations();
  if (error) {
    return (
      <BarePage>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </BarePage>
    );
  }
  if (!data) return <Loading what="your organisations" />;
  const last = recall<string | null>("organization", null);
  const chosen = data.find((organization) => organization.id === last) ?? data[0];
  if (!chosen) {
    return (
      <BarePage>
        <EmptyState heading title="You are not a member of any organisation. Ask an administrator to add you." />
      </BarePage>
    );
  }
  return <Navigate to={`/orgs/${chosen.id}`} replace />;
}
