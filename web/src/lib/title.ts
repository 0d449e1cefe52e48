import { useEffect } from "react";

const PRODUCT = "docagent";

/** Name the browser's tab after what is shown. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${PRODUCT}`;
  }, [title]);
}
