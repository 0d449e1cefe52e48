import type { Lines } from "@/components/Markdown";
import type { Preview } from "@/lib/agent/events";
import { leftOutOf, textFields } from "@/lib/agent/previews";
import type { LivingDocument } from "@/lib/api/projects";
import { diffLines } from "@/lib/diff";

/** The lines of a document that waiting changes would touch, as far as their previews say which these are. */
export function suggestedLines(previews: readonly (Preview | null)[], { name, version }: Pick<LivingDocument, "name" | "version">): Lines[] {
  return previews.flatMap((preview) => {
    if (preview?.kind !== "text" || preview.name !== name || preview.version_from !== version) return [];
    const content = textFields(preview).find(({ field }) => field === "content");
    const leftOut = content && leftOutOf(content);
    return leftOut ? touched(content.before ?? "", content.after ?? "", leftOut.above) : [];
  });
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
