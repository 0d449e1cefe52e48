import { createContext, useCallback, useContext } from "react";

import type { Schemas } from "@/lib/api/client";

export type Organization = Schemas["OrganizationOut"];

const Context = createContext<Organization | null>(null);

export const OrganizationProvider = Context.Provider;

/** The organisation whose pages are shown; only inside a page of an organisation. */
export function useOrganization(): Organization {
  const organization = useContext(Context);
  if (!organization) throw new Error("useOrganization is for pages of an organisation.");
  return organization;
}

/** Turns `documents/123` into the address of that page in the current organisation. */
export function useOrgPath(): (path: string) => string {
  const { id } = useOrganization();
  return useCallback((path) => `/orgs/${id}/${path}`, [id]);
}
