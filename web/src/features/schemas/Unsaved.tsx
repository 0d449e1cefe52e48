import { Info } from "lucide-react";

import { Button } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import type { Schema } from "@/lib/api/schemas";

import type { Editing } from "./useEditing";

/** Says that something unsaved was found, or that somebody saved a version meanwhile. */
export function Unsaved({ editing, newest }: { editing: Editing; newest: Schema | null }) {
  const { isBehind, restoredAt, base, discard } = editing;
  if (!isBehind && !restoredAt) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-1.5 text-sm">
      <Info size={15} aria-hidden className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1">
        {isBehind && newest
          ? `Version ${newest.schema_version} was saved meanwhile. Your changes began from version ${base.version}; saving makes them the next version.`
          : restoredAt && (
              <>
                Your unsaved changes from <RelativeTime date={restoredAt} /> are here again.
              </>
            )}
      </p>
      <Button small onClick={discard}>
        {isBehind && newest ? `Drop mine and take version ${newest.schema_version}` : "Drop them"}
      </Button>
    </div>
  );
}
