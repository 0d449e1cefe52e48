import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";

export interface Page {
  /** Below `/orgs/{organisation}/`: `tags`, `documents/$documentId`. */
  path: string;
  /** The document's title; a page may set a better one with useTitle. */
  title: string;
  /** The palette leads to it. Pages without this are reached from others. */
  nav?: {
    /** One of the words of the top bar: its icon where the bar is folded. */
    icon?: LucideIcon;
    /** Offered to administrators of the organisation only; the page itself says why to others. */
    adminsOnly?: boolean;
  };
  /** The page of the top bar that it is a part of, where its address does not begin with it. */
  within?: string;
  /** What the palette offers everywhere besides "Go to ...": each opens an address below the organisation. */
  commands?: { label: string; path: string; words?: string }[];
  /** `page` scrolls as a whole; `workspace` fills the window and scrolls its panes. */
  layout?: "page" | "workspace";
  /** The module whose default export is the page; loaded when it is first shown. */
  load: () => Promise<{ default: ComponentType }>;
}

/** Give every page file the same shape: `export const page = definePage({...})`. */
export function definePage(page: Page): Page {
  return page;
}
