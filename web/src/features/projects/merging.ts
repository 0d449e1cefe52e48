import type { Schemas } from "@/lib/api/client";
import { ApiError } from "@/lib/api/errors";

/** What the server makes of a text that was saved on an old version; nothing of it is stored. */
export type Merge = Schemas["Merge"];

/** Lines that both changed. */
export interface Clash {
  mine: string;
  theirs: string;
}

export type Side = "mine" | "theirs" | "both";

/** The merge that comes with the refusal of a save; null if there is none. */
export function mergeOf(error: unknown): Merge | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.body as Schemas["Problem"]).merge ?? null;
}

export function clashesOf({ parts }: Merge): Clash[] {
  return (parts ?? []).flatMap(({ text, mine = "", theirs = "" }) => (text === undefined ? [{ mine, theirs }] : []));
}

/** The whole text with one side of every clash; null as long as one is not chosen. */
export function mergedText({ content, parts }: Merge, sides: readonly (Side | undefined)[]): string | null {
  if (content !== null) return content;
  let text = "";
  let number = 0;
  for (const { text: settled, mine = "", theirs = "" } of parts ?? []) {
    if (settled !== undefined) {
      text += settled;
      continue;
    }
    const side = sides[number++];
    if (!side) return null;
    text += side === "mine" ? mine : side === "theirs" ? theirs : onLinesOfTheirOwn(mine, theirs);
  }
  return text;
}

/** One text after the other. At the end of a document the first may lack its line break. */
function onLinesOfTheirOwn(first: string, second: string): string {
  const isWhole = !first || !second || /[\r\n]$/.test(first);
  return first + (isWhole ? "" : (/\r\n|\r|\n/.exec(first + second)?.[0] ?? "\n")) + second;
}
