import { t } from "@/lib/i18n";

import { useUser } from "./api/session";
import { useOrganization } from "./organization";

/** What the signed-in user may change here. */
export function useRights(): { isSystemAdmin: boolean; isAdmin: boolean; adminsOnly: string | false } {
  const user = useUser();
  const { members } = useOrganization();
  const isSystemAdmin = user.role === "admin";
  const isAdmin = isSystemAdmin || members.some((member) => member.user_id === user.id && member.role === "admin");
  return { isSystemAdmin, isAdmin, adminsOnly: !isAdmin && t("lib.onlyAdministratorsOfTheOrganisationCan") };
}
