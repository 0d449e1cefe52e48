import type { CSSProperties } from "react";

/** Name, type, required, description, where the pane is wide enough for one line; nested rows lose room for the name only. */
export const COLUMNS = { "--row": "minmax(5rem, 1fr) 9.5rem 3.75rem 30cqw" } as CSSProperties;
