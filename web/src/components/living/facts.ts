import { Facet } from "@codemirror/state";

import type { BoundNow } from "@/lib/bound";

/** What can be put into a text that stays bound to where it is from. */
export type Insertable = "value" | "table" | "chart";

/** What the page knows of links to things of ours, and does for them. */
export interface Facts {
  /** What is known of a citation: where it is from, and what has changed there. */
  cited: (href: string, title: string) => { from: string; note: string | null } | null;
  /** What is known of a table that stands for a sheet. */
  bound: (href: string) => BoundNow | null;
  open: (href: string) => void;
  /** Asks the user what to insert. */
  insert: (what: Insertable, put: (markdown: string) => void) => void;
}

const NONE: Facts = { cited: () => null, bound: () => null, open: () => {}, insert: () => {} };

export const facts = Facet.define<Facts, Facts>({ combine: ([given]) => given ?? NONE });
