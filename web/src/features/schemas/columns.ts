import type { CSSProperties } from "react";

/** Name, type, required, description, where the pane is wide enough for one line. */
export const COLUMNS = { "--row": "minmax(7rem, 1fr) 9.5rem 3.75rem minmax(8rem, 1.6fr)" } as CSSProperties;
