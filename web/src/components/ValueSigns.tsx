import { ShieldCheck, TriangleAlert } from "lucide-react";

import { verdictOf } from "@/lib/known";
import type { Known } from "@/lib/known";

/** How the text of a value looks whose words stand on a page. */
export const ON_THE_PAGE = "underline decoration-line-strong decoration-1 underline-offset-4";

interface ValueSignsProps {
  known: Known;
  /** All of it in a sentence, on hover and for screen readers. */
  words: string;
}

/** A warning, else the mark of a person, else a bar of how sure an unsure value is; nothing beside a sure one. */
export function ValueSigns({ known, words }: ValueSignsProps) {
  const verdict = verdictOf(known);
  if (verdict === "sure") return null;
  return (
    <span title={words} data-sign={known.warning ? "warning" : verdict} className="inline-flex shrink-0 items-center">
      {known.warning ? (
        <TriangleAlert size={13} aria-hidden className="text-warm" />
      ) : verdict === "checked" ? (
        <ShieldCheck size={13} aria-hidden className="fill-good-soft text-good" />
      ) : (
        <span aria-hidden className="block h-1.5 w-5 overflow-hidden rounded-full bg-sunken ring-1 ring-line-strong">
          <span className="block h-full bg-muted" style={{ width: `${Math.round((known.chance ?? 0) * 100)}%` }} />
        </span>
      )}
      <span className="sr-only">{words}</span>
    </span>
  );
}
