import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 767px)";

/** True on a phone: panes stand behind tabs instead of side by side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(NARROW);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(NARROW).matches,
  );
}
