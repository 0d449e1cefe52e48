import { createContext, useCallback, useContext } from "react";

import type { Schemas } from "@/lib/api/client";
import { t } from "@/lib/i18n";


export type Organization = Schemas["OrganizationOut"];

const Context = createContext<Organization | null>(null);

export const OrganizationProvider = Context.Provider;

/** The organisation whose pages are shown; only inside a page of an organisation. */
export function useOrganization(): Organization {
  const organization = useContext(Context);
  if (!organization) throw new Error("useOrganization is for pages of an organisation.");
  return organization;
}

/**
 * Where the user begins: in the organisation that was used last, else in their own. That is the first one that they have
 * for themselves, else the first that they administer, else the first of all: not the newest, into which somebody may just have brought them.
 */
export function firstOrganization(all: readonly Organization[], userId: string, last: string | null): Organization | undefined {
  const oldest = [...all].sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return (
    all.find((organization) => organization.id === last) ??
    oldest.find(({ members }) => members.length === 1) ??
    oldest.find(({ members }) => members.some((member) => member.user_id === userId && member.role === "admin")) ??
    oldest[0]
  );
}

/** An organisation that was made with an account has the account's e-mail address as its name. To its owner it is theirs. */
export function nameFor(name: string, email: string): string {
  return name === email ? t("lib.myOrganisation") : name;
}

/** Turns `documents/123` into the address of that page in the current organisation. */
export function useOrgPath(): (path: string) => string {
  const { id } = useOrganization();
  return useCallback((path) => `/orgs/${id}/${path}`, [id]);
}
