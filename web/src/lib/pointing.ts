import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

import { api, ask } from "./api/client";
import { useOrganization } from "./organization";
import { Store, useStore } from "./store";

import type { Schemas } from "./api/client";
import type { Spot } from "./places";

export type Taken = Schemas["PointedOut"];
export type PointedPlace = Schemas["PointedPlaceOut"];

/** A field that is being edited and takes what one points at on the pages beside it. */
export interface Field {
  documentId: string;
  promptRevid: string;
  path: string;
  label: string;
  /** The rows of a table are wanted, not one value. */
  isTable?: boolean;
}

interface Wish extends Field {
  onTaken: (taken: Taken) => void;
  onLeave: () => void;
}

/** What is wanted, the words that were taken for it, and the documents whose pages are there to point at. */
const wishes = new Store<Wish | null>(null);
const taken = new Store<Spot[]>([]);
const open = new Store<readonly string[]>([]);
const NOTHING: Spot[] = [];

/** Asks for a field while the calling editor is open. Says whether one can point now. */
export function usePointing(field: Field, onTaken: (taken: Taken) => void, onLeave?: () => void): boolean {
  const { documentId, promptRevid, path, label, isTable = false } = field;
  const latest = useRef({ onTaken, onLeave });
  useLayoutEffect(() => {
    latest.current = { onTaken, onLeave };
  });
  const isWanted = useStore(wishes)?.path === path;
  useEffect(() => {
    const wish: Wish = {
      documentId,
      promptRevid,
      path,
      label,
      isTable,
      onTaken: (one) => latest.current.onTaken(one),
      onLeave: () => latest.current.onLeave?.(),
    };
    wishes.set(wish);
    return () => {
      if (wishes.get() === wish) wishes.set(null);
      taken.set(NOTHING);
    };
  }, [documentId, promptRevid, path, label, isTable]);
  return useHasPages(documentId) && isWanted;
}

/** Whether the pages of a document are beside its fields. */
export function useHasPages(documentId: string): boolean {
  return useStore(open).includes(documentId);
}

/** The words of what was taken, as spots. */
export function spotsOfPlaces(places: readonly PointedPlace[]): Spot[] {
  return places.flatMap(({ words }) => words.map(({ page, box }) => ({ page, box })));
}

/** For the pages of a document: what is asked for, the words that were taken, and how to point. */
export function usePointingAt(documentId: string) {
  const { id } = useOrganization();
  const wanted = useStore(wishes);
  const lit = useStore(taken);
  const [error, setError] = useState<unknown>(null);
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    open.update((all) => [...all, documentId]);
    return () => open.update((all) => all.toSpliced(all.indexOf(documentId), 1));
  }, [documentId]);
  const wish = wanted?.documentId === documentId ? wanted : null;
  useEffect(() => setError(null), [wish]);
  const point = useCallback(
    async ({ page, box }: Spot): Promise<void> => {
      if (!wish) return;
      setIsAsking(true);
      setError(null);
      const { promptRevid, path } = wish;
      try {
        // The client's types lose the length of a tuple.
        const found = (await ask(
          api.POST("/v0/orgs/{organization_id}/llm/result/{document_id}/point", {
            params: { path: { organization_id: id, document_id: documentId }, query: { prompt_revid: promptRevid } },
            body: { path, page, box: [...box] },
          }),
        )) as Taken;
        if (wishes.get() !== wish) return;
        taken.set(spotsOfPlaces(found.places));
        wish.onTaken(found);
      } catch (reason) {
        if (wishes.get() === wish) setError(reason);
      } finally {
        setIsAsking(false);
      }
    },
    [id, documentId, wish],
  );
  const leave = (): void => {
    wishes.set(null);
    wish?.onLeave();
  };
  return { wish, lit: wish ? lit : NOTHING, point, error, isAsking, leave };
}
