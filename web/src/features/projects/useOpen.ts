import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type View = "text" | "edit" | "history";

interface Place {
  document: string | null;
  view: View;
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
