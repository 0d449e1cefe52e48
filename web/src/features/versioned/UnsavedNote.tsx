import { Info } from "lucide-react";

import { Button } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";

interface UnsavedNoteProps {
  /** The version that somebody saved while this one was edited; null when nobody did. */
  newer: number | null;
  /** The version that the changes began from. */
  base: number;
  /** When the changes were made that were found unsaved. */
  restoredAt: string | null;
  onDiscard: () => void;
}

/** Says that something unsaved was found, or that somebody saved a version meanwhile. */
export function UnsavedNote({ newer, base, restoredAt, onDiscard }: UnsavedNoteProps) {
  if (newer === null && !restoredAt) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-1.5 text-sm">
      <Info size={15} aria-hidden className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1">
        {newer === null ? (
          <>
            Your unsaved changes from <RelativeTime date={restoredAt ?? ""} /> are here again.
          </>
        ) : (
          `Version ${newer} was saved meanwhile. Your changes began from version ${base}; saving makes them the next version.`
        )}
      </p>
      <Button small onClick={onDiscard}>
        {newer === null ? "Drop them" : `Drop mine and take version ${newer}`}
      </Button>
    </div>
  );
}
