import { Undo2, X } from "lucide-react";

import { Button, IconButton } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { rich, t } from "@/lib/i18n";
import { timeLeft } from "@/lib/time";

import type { Deleted, Named } from "./useDeleted";
import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";

interface DeletedListProps {
  /** "documents" or "projects". */
  what: string;
  list: UseQueryResult<Deleted[]>;
  bringBack: UseMutationResult<unknown, Error, Named>;
  onClose: () => void;
}

/** What was deleted and can be brought back, with the days that are left for it. */
export function DeletedList({ what, list: { data: things, error, refetch }, bringBack, onClose }: DeletedListProps) {
  const title = t("projects.deletedWhat", { what });
  return (
    <section aria-label={title} className="rounded-lg border bg-sunken px-2 py-1.5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="px-1 text-sm text-muted">{title}</h2>
        <IconButton small icon={X} label={t("projects.closeTheDeletedWhat", { what })} onClick={onClose} />
      </div>
      {error && <ErrorNote what={t("projects.theDeletedWhatCannotBeShown", { what })} error={error} onRetry={() => void refetch()} />}
      {!things && !error && <Loading what={t("projects.theDeletedWhat", { what })} />}
      {things?.length === 0 && <p className="px-1 py-1 text-sm text-muted">{t("projects.nothingHereYouCanRestoreDeleted")}</p>}
      <ul aria-label={title}>
        {things?.map((thing) => (
          <li key={thing.id} className="flex items-center gap-2 px-1 py-1">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{thing.name}</span>
              <span className="block text-xs text-muted">
                {rich("projects.deletedRelativeTimeTimeLeft", { relativeTime: <RelativeTime date={thing.deleted_at} />, timeLeft: timeLeft(new Date(thing.removed_at)) })}
              </span>
            </span>
            <Button
              small
              icon={Undo2}
              aria-label={t("projects.bringBackName", { name: thing.name })}
              busy={bringBack.isPending && bringBack.variables.id === thing.id && t("projects.bringingBack")}
              onClick={() => bringBack.mutate(thing)}
            >
              {t("projects.bringBack")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
