import { useCallback, useEffect, useRef } from "react";

import { forgetUnsaved, useKeptUnsaved } from "@/lib/drafts";

/** Keeps what is typed through reloads and other pages. Call the returned function once it is saved or dropped. */
export function useKept(key: string, value: string | null, base: number | null): () => void {
  const isDone = useRef(false);
  useKeptUnsaved(key, value, base === null ? null : String(base));
  // This effect must run after the line above has kept what was typed last.
  useEffect(
    () => () => {
      if (isDone.current) forgetUnsaved(key);
    },
    [key],
  );
  return useCallback(() => {
    isDone.current = true;
    forgetUnsaved(key);
  }, [key]);
}
