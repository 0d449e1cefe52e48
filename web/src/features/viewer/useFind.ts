import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";

import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";
import type { Spot } from "@/lib/places";

import { findText } from "./find";
import { useAllWords } from "./words";

import type { TextPage } from "./words";

/** Find in the document: by our words with their boxes, so that scans are searched as well. */
export function useFind(documentId: string, reading: string | null, onHit: (spot: Spot) => void) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [position, setPosition] = useState(0);
  const [pages, setPages] = useState<TextPage[] | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const load = useAllWords(documentId, reading);
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    load((count, of) => {
      if (!isOver) setProgress(t("viewer.fetchingTheWordsOfPageCount", { count, of }));
    })
      .then((found) => {
        if (isOver) return;
        setPages(found);
        setProgress(found.length ? null : t("viewer.thisDocumentHasNoWordsThat"));
      })
      .catch((error: unknown) => {
        if (!isOver) setProgress(messageOf(error));
      });
    return () => {
      isOver = true;
    };
  }, [isOpen, load]);

  // Typing stays quick; the places follow.
  const wanted = useDeferredValue(typed);
  const hits = useMemo(() => (isOpen && pages ? findText(pages, wanted) : []), [isOpen, pages, wanted]);
  const hit = useRef(onHit);
  useEffect(() => {
    hit.current = onHit;
  });
  useEffect(() => {
    setPosition(0);
    const spot = hits[0]?.spots[0];
    if (spot) hit.current(spot);
  }, [hits]);
  const go = useCallback(
    (next: number): void => {
      const index = (next + hits.length) % Math.max(1, hits.length);
      setPosition(index);
      const spot = hits[index]?.spots[0];
      if (spot) onHit(spot);
    },
    [hits, onHit],
  );

  return {
    isOpen,
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
    typed,
    type: setTyped,
    hits,
    position,
    next: () => go(position + 1),
    previous: () => go(position - 1),
    progress,
    found: useMemo(() => hits.flatMap((hit) => hit.spots), [hits]),
    stoodOn: hits[position]?.spots ?? NOTHING,
  };
}

const NOTHING: Spot[] = [];

export type Find = ReturnType<typeof useFind>;
