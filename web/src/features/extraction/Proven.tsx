import { ShieldCheck } from "lucide-react";

import type { Result } from "@/lib/api/results";

import { provenCount } from "./tree";

import type { Leaf } from "./tree";

/** How many values of a result are found in the document, and whether a person has seen them. */
export function Proven({ result, leaves }: { result: Result; leaves: Leaf[] }) {
  const { proven, of } = provenCount(leaves);
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      {of > 0 && `${proven} of ${of} proven`}
      {result.is_verified && (
        <span className="inline-flex items-center gap-1 text-good">
          <ShieldCheck size={14} aria-hidden /> Verified
        </span>
      )}
    </span>
  );
}
