import type { CSSProperties } from "react";

/** Name, type, required, description, if the pane has room for one line. Nested rows only lose room for the name. */
export const COLUMNS = { "--row": "minmax(5rem, 1fr) 9.5rem 3.75rem 30cqw" } as CSSProperties;
