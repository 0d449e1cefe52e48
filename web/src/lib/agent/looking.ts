import { asObject, parsed } from "./words";

import type { Call } from "./fold";

export interface PageView {
  documentId: string;
  page: number;
  /** Left, top, right and bottom in thousandths; null for the whole page. */
  region: number[] | null;
}

/** What a call of `look_at_page` showed to the model; null for other calls, and for one that failed. */
export function viewOf({ name, result }: Pick<Call, "name" | "result">): PageView | null {
  if (name !== "look_at_page" || !result || result.isError) return null;
  const { document_id: documentId, page, region } = asObject(parsed(result.content));
  if (typeof documentId !== "string" || typeof page !== "number") return null;
  return { documentId, page, region: Array.isArray(region) && region.every((side) => typeof side === "number") ? region : null };
}
