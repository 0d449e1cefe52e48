import { createContext, useContext } from "react";

import type { PointedPlace } from "@/lib/pointing";

import type { FieldRef, Leaf } from "./tree";
import type { Writing } from "./writing";

/** What the fields of one result can do; given once, so that rows and cells need not pass it on. */
export interface FieldActions {
  documentId: string;
  promptRevid: string;
  /** How numbers and dates are written here. */
  writing: Writing;
  selected: FieldRef | null;
  /** It was chosen by its word on the page, and so its field takes the focus. */
  isPicked: boolean;
  editing: string | null;
  select: (leaf: Leaf) => void;
  hover: (leaf: Leaf | null) => void;
  edit: (path: string | null) => void;
  /** Stores a value, with the words on the page that were pointed at for it. */
  save: (path: string, value: unknown, places?: PointedPlace[]) => Promise<unknown>;
  /** Add or remove an item of a list. A refusal is shown at the head of the result. */
  change: (path: string, value: unknown, thenEdit?: boolean) => void;
  verify: (leaf: Leaf) => void;
  /** Copies a value as a citation for a living document. */
  cite: (leaf: Leaf) => void;
}

const Context = createContext<FieldActions | null>(null);

export const FieldActionsProvider = Context.Provider;

export function useFieldActions(): FieldActions {
  const actions = useContext(Context);
  if (!actions) throw new Error("Fields are shown inside a result.");
  return actions;
}
