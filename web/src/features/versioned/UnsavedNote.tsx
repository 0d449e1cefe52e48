import { Info } from "lucide-react";

import { Button } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import { rich, t } from "@/lib/i18n";

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
            {rich("versioned.yourUnsavedChangesFromRelativeTimeAre", { relativeTime: <RelativeTime date={restoredAt ?? ""} /> })}
          </>
        ) : (
          t("versioned.versionNewerWasSavedMeanwhileYour", { newer, base })
        )}
      </p>
      <Button small onClick={onDiscard}>
        {newer === null ? t("common.dropThem") : t("versioned.dropMineAndTakeVersionNewer", { newer })}
      </Button>
    </div>
  );
}
