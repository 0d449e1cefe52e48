import { Store, useStore } from "./store";

/** A value that the user has just corrected. */
export interface Correction {
  documentId: string;
  promptRevid: string;
  path: string;
}

const last = new Store<Correction | null>(null);

export function noteCorrection(correction: Correction | null): void {
  last.set(correction);
}

/** The last correction, if it is of this version of a prompt and, where one is named, of this document. */
export function useCorrection(promptRevid: string | undefined, documentId?: string): Correction | null {
  const correction = useStore(last);
  if (!correction || correction.promptRevid !== promptRevid) return null;
  return documentId === undefined || documentId === correction.documentId ? correction : null;
}
