import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

import { useVisits } from "@/lib/visits";

export type View = "text" | "edit" | "history";

interface Place {
  document: string | null;
  view: View;
}

/** A line of the open document that was found. It is new with every visit, so that one may go there again. */
export interface FoundLine {
  line: number;
  visit: number;
}

/** Which document of the project is open, and how; kept in the address, so that a reload and a link show the same. */
export function useOpen(): Place & { open: (place: Partial<Place>, by?: { replace?: boolean; itself?: boolean }) => void } {
  const { document, view }: { document?: unknown; view?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const open = useCallback(
    ({ document: next, view: how = "text" }: Partial<Place>, { replace = false, itself = false } = {}) =>
      void navigate({
        to: ".",
        search: (old: object) => ({
          ...old,
          ...(next === undefined ? {} : { document: next ?? undefined }),
          view: how === "text" ? undefined : how,
          line: undefined,
          // What opens by itself does not take the user from the part of the page that is shown.
          ...(itself ? {} : { tab: "text" }),
        }),
        replace: replace || itself,
      }),
    [navigate],
  );
  return {
    document: typeof document === "string" ? document : null,
    view: view === "edit" || view === "history" ? view : "text",
    open,
  };
}

/** The line that the address asks for. */
export function useFoundLine(): FoundLine | null {
  const { line }: { line?: unknown } = useSearch({ strict: false });
  const visit = useVisits();
  return useMemo(() => (typeof line === "number" && line > 0 ? { line, visit } : null), [line, visit]);
}
