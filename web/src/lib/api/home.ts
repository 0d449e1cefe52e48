import { useQuery } from "@tanstack/react-query";

import { useOrganization } from "@/lib/organization";

import { useNet } from "./changes";
import { api, ask } from "./client";
import { keys } from "./queries";

import type { Schemas } from "./client";

export type Home = Schemas["HomeOut"];
export type HomeKind = Schemas["KindOut"];
export type Measured = Schemas["MeasuredOut"];

const OFTEN_MS = 30_000;

/** What the start page shows. It is a part of the documents' list, so that what is told of them brings it up to date. */
export function useHome(enabled: boolean) {
  const { id } = useOrganization();
  const net = useNet();
  return useQuery({
    queryKey: [...keys.documents(id), "home"],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/home", { params: { path: { organization_id: id } } })),
    refetchInterval: () => net(OFTEN_MS),
    enabled,
  });
}
