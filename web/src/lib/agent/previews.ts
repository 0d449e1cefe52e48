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

/** What is left out of both texts; null when it is not known, for previews of 0.2.0 tell it in a line of the text only. */
export function leftOutOf({ lines_above: above, lines_below: below }: TextField): LeftOut | null {
  return above === undefined || below === undefined ? null : { above, below };
}
