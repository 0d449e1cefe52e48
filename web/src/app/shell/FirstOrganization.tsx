import { Navigate } from "@tanstack/react-router";

import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { MyInvitations } from "@/features/inbox/MyInvitations";
import { useOrganizations } from "@/lib/api/organizations";
import { useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { firstOrganization } from "@/lib/organization";
import { recall } from "@/lib/remembered";

import { NEW_ORGANIZATION } from "../pages";

import { BarePage } from "./BarePage";

/** Opens the organisation that was used last, or the user's own. */
export function FirstOrganization() {
  const { id } = useUser();
  const { data, error, refetch } = useOrganizations();
  if (error) {
    return (
      <BarePage>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </BarePage>
    );
  }
  if (!data) return <Loading what={t("shell.yourOrganisations")} />;
  const chosen = firstOrganization(data, id, recall<string | null>("organization", null));
  if (!chosen) {
    return (
      <BarePage>
        <EmptyState heading title={t("shell.youAreNotAMemberOf")}>
          <ButtonLink variant="primary" to={NEW_ORGANIZATION}>
            {t("shell.newOrganisation")}
          </ButtonLink>
        </EmptyState>
        <MyInvitations />
      </BarePage>
    );
  }
  return <Navigate to={`/orgs/${chosen.id}`} replace />;
}
