import type { Lines } from "@/components/Markdown";
import type { Preview } from "@/lib/agent/events";
import type { Proposed } from "@/lib/agent/hunks";
import { hunksOf, leftOutOf, textFields } from "@/lib/agent/previews";
import type { LivingDocument } from "@/lib/api/projects";
import { diffLines } from "@/lib/diff";

type Version = Pick<LivingDocument, "name" | "version">;

/** A change of a document that waits for the user in a turn. */
export interface WaitingChange extends Proposed {
  turnId: string;
}

/** Those of the waiting changes that would change the text of this version. */
export function changesOf(waiting: readonly WaitingChange[], document: Version): WaitingChange[] {
  return waiting.filter(({ preview }) => contentOf(preview, document) !== null);
}

/** The lines of a document that waiting changes would touch, as far as their previews say which these are. */
export function suggestedLines(previews: readonly (Preview | null)[], document: Version): Lines[] {
  return previews.flatMap((preview) => {
    const content = contentOf(preview, document);
    const hunks = hunksOf(preview);
    if (content && hunks.length) return hunks.map(({ line, removes }) => linesOf(line, removes));
    const leftOut = content && leftOutOf(content);
    return leftOut ? touched(content.before ?? "", content.after ?? "", leftOut.above) : [];
  });
}

/** The line after which a part of a change would stand; 0 is the top. */
export function lineBefore({ line, removes }: { line: number; removes: number }): number {
  return line - 1 + removes;
}

function contentOf(preview: Preview | null, { name, version }: Version) {
  if (preview?.kind !== "text" || preview.name !== name || preview.version_from !== version) return null;
  return textFields(preview).find(({ field }) => field === "content") ?? null;
}

function linesOf(line: number, removes: number): Lines {
  const from = Math.max(1, removes ? line : line - 1);
  return { from, to: Math.max(from, line - 1 + removes) };
}

/** The lines of the old text that are removed, or get something new beside them. */
function touched(before: string, after: string, above: number): Lines[] {
  const found: Lines[] = [];
  let line = above;
  for (const { kind } of diffLines(before, after)) {
    if (kind !== "added") line += 1;
    if (kind === "same") continue;
    const here = Math.max(1, line);
    const last = found.at(-1);
    if (last && last.to >= here - 1) last.to = here;
    else found.push({ from: here, to: here });
  }
  return found;
}
