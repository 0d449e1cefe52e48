import { FastForward, ShieldCheck } from "lucide-react";

import type { Result } from "@/lib/api/results";

import { settledCount } from "./tree";

import type { Leaf } from "./tree";

/** How many values of a result are settled, by the document or by a person, and whether a person has seen them all. */
export function Proven({ result, leaves }: { result: Result; leaves: Leaf[] }) {
  const { proven, settled, of } = settledCount(leaves);
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      {of > 0 && `${settled} of ${of} ${settled === proven ? "proven" : "settled"}`}
      {result.auto_verified && !result.is_verified && (
        <span className="inline-flex items-center gap-1" title="Confident enough to be released without review. Not checked by a person.">
          <FastForward size={14} aria-hidden /> Went on without a person
        </span>
      )}
      {result.is_verified && (
        <span className="inline-flex items-center gap-1 text-good">
          <ShieldCheck size={14} aria-hidden /> Verified
        </span>
      )}
    </span>
  );
}
