import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { toQuery } from "@/lib/listSearch";
import type { ListSearch } from "@/lib/listSearch";
import { useOrganization } from "@/lib/organization";

import { everything } from "./pages";

/** One version of something that is kept in versions. */
export interface Versioned {
  name: string;
  created_at: string;
  created_by: string;
}

/** A kind of things that are kept in versions: what it is called, and how the server is asked. */
export interface Kind<T extends Versioned, Body> {
  /** As in a sentence: "schema". With an s it is the plural, and the page's address. */
  noun: string;
  /** The first parts of its cache keys. */
  key: (organizationId: string) => readonly string[];
  /** Which thing, which version of it, and that version's number. */
  revisionOf: (thing: T) => { id: string; revid: string; version: number };
  /** The newest version of each. */
  list: (organizationId: string, query: { skip: number; limit: number; name_search?: string; sort?: string }) => Promise<{ items: T[]; total: number }>;
  /** Newest first. */
  versions: (organizationId: string, id: string) => Promise<T[]>;
  create: (organizationId: string, body: Body) => Promise<T>;
  /** Makes a version, or only gives another name. */
  change: (organizationId: string, id: string, body: Body) => Promise<T>;
  remove: (organizationId: string, id: string) => Promise<unknown>;
}

/** The newest version of every thing of the kind, by name; cached, and shared by all parts that pick or mention one. */
export function useAll<T extends Versioned, Body>(kind: Kind<T, Body>) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...kind.key(id), "all"],
    queryFn: async () => {
      const all = await everything((skip, limit) => kind.list(id, { skip, limit }));
      return all.sort((a, b) => a.name.localeCompare(b.name));
    },
    staleTime: 30_000,
  });
}

/** What a page of the list shows. */
export function useVersionedList<T extends Versioned, Body>(kind: Kind<T, Body>, search: ListSearch) {
  const { id } = useOrganization();
  const query = toQuery(search);
  return useQuery({
    queryKey: [...kind.key(id), query],
    queryFn: () => kind.list(id, query),
    placeholderData: keepPreviousData,
  });
}

/** Every version of one thing, newest first. */
export function useVersions<T extends Versioned, Body>(kind: Kind<T, Body>, thingId: string | null) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...kind.key(id), "versions", thingId],
    queryFn: () => kind.versions(id, thingId ?? ""),
    enabled: thingId !== null,
  });
}

/** Make a thing, or a new version of one. */
export function useSave<T extends Versioned, Body>(kind: Kind<T, Body>, thingId: string | null) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => (thingId === null ? kind.create(id, body) : kind.change(id, thingId, body)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: kind.key(id) }),
  });
}

export function useDelete<T extends Versioned, Body>(kind: Kind<T, Body>) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (thingId: string) => kind.remove(id, thingId),
    // What was deleted is still on the page for a moment: asking for it again would only be refused.
    onSuccess: (_, thingId) =>
      queryClient.invalidateQueries({
        queryKey: kind.key(id),
        predicate: (query) => !query.queryKey.includes(thingId),
      }),
  });
}
