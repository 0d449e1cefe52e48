import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** Which part of the page is shown; kept in the address, so that a reload and a link show the same. */
export function useTab(otherwise: string): [string, (tab: string) => void] {
  const { tab }: { tab?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (next: string) => void navigate({ to: ".", search: (old: object) => ({ ...old, tab: next }), replace: true }),
    [navigate],
  );
  return [typeof tab === "string" ? tab : otherwise, change];
}
