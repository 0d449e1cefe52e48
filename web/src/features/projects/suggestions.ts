import type { Lines } from "@/components/Markdown";
import type { Preview } from "@/lib/agent/events";
import { asObject } from "@/lib/agent/words";
import type { LivingDocument } from "@/lib/api/projects";
import { diffLines, leftOut } from "@/lib/diff";

/** The lines of a document that changes which wait for a verdict would touch. */
export function suggestedLines(previews: readonly (Preview | null)[], { name, version }: Pick<LivingDocument, "name" | "version">): Lines[] {
  return previews.flatMap((preview) => {
    if (preview?.kind !== "text" || preview.name !== name || preview.version_from !== version) return [];
    const fields = Array.isArray(preview.fields) ? preview.fields.map(asObject) : [];
    const content = fields.find(({ field }) => field === "content");
    return typeof content?.before === "string" && typeof content.after === "string" ? touched(content.before, content.after) : [];
  });
}

/** Which lines of the old text go, or have something new beside them. */
function touched(before: string, after: string): Lines[] {
  const [first = ""] = before.split("\n", 1);
  const hidden = leftOut(first);
  const found: Lines[] = [];
  // The line that says how many were left out stands for all of them.
  let line = hidden ? hidden - 1 : 0;
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
