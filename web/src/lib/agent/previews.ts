import type { LeftOut } from "@/lib/diff";

import type { Preview } from "./events";

/** One of the texts in a preview of kind `prompt` or `text`, as it is and as it would be (docs/tools.md). */
export interface TextField {
  field: string;
  before: string | null;
  after: string | null;
  lines_above?: number;
  lines_below?: number;
}

export function textFields(preview: Preview): TextField[] {
  return Array.isArray(preview.fields) ? (preview.fields as TextField[]) : [];
}

/** The lines left out of both texts; null if that is not known: previews of 0.2.0 only say it in a line of the text. */
export function leftOutOf({ lines_above: above, lines_below: below }: TextField): LeftOut | null {
  return above === undefined || below === undefined ? null : { above, below };
}
