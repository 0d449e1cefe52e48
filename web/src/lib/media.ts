import { useSyncExternalStore } from "react";

/** True while the window fits the query, such as `(min-width: 64rem)`. For what cannot be done with CSS alone. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
