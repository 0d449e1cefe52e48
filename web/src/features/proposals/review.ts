import type { ProposalGroup } from "@/lib/api/proposals";

/** Where the user is in the queue, and which documents they have taken out of their group. */
export interface ReviewState {
  /** The document that is looked at. */
  cursor: string | null;
  /** Its place in the queue, for when it is gone. */
  place: number;
  takenOut: ReadonlySet<string>;
}

export const BEGINNING: ReviewState = { cursor: null, place: 0, takenOut: new Set() };

/** The documents of all groups, in the order in which they are shown. */
export function orderOf(groups: readonly ProposalGroup[]): string[] {
  return groups.flatMap((group) => group.documents.map((document) => document.document_id));
}

/** The document that is looked at: the chosen one, or what stands in its place when that is gone. */
export function currentOf(state: ReviewState, order: readonly string[]): string | null {
  if (state.cursor !== null && order.includes(state.cursor)) return state.cursor;
  return order[Math.min(state.place, order.length - 1)] ?? null;
}

/** Go to a document. */
export function looking(state: ReviewState, order: readonly string[], cursor: string): ReviewState {
  return { ...state, cursor, place: Math.max(0, order.indexOf(cursor)) };
}

/** Go so many documents on, not beyond the ends. */
export function moved(state: ReviewState, order: readonly string[], by: number): ReviewState {
  const current = currentOf(state, order);
  if (current === null) return state;
  const next = order[Math.min(order.length - 1, Math.max(0, order.indexOf(current) + by))];
  return next === undefined ? state : looking(state, order, next);
}

/** Take a document out of its group, or back into it. */
export function toggled(state: ReviewState, documentId: string): ReviewState {
  const takenOut = new Set(state.takenOut);
  if (!takenOut.delete(documentId)) takenOut.add(documentId);
  return { ...state, takenOut };
}

/** The documents of a group that a verdict on the group is about. */
export function includedIn(group: ProposalGroup, takenOut: ReadonlySet<string>): string[] {
  return group.documents.map((document) => document.document_id).filter((id) => !takenOut.has(id));
}

/** What was taken out of a group is a group of its own once the rest is decided. */
export function together(state: ReviewState, group: ProposalGroup): ReviewState {
  const takenOut = new Set(state.takenOut);
  for (const document of group.documents) takenOut.delete(document.document_id);
  return { ...state, takenOut };
}
