import { Undo2, X } from "lucide-react";

import { Button, IconButton } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
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
  const title = `Deleted ${what}`;
  return (
    <section aria-label={title} className="rounded-lg border bg-sunken px-2 py-1.5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="px-1 text-sm text-muted">{title}</h2>
        <IconButton small icon={X} label={`Close the deleted ${what}`} onClick={onClose} />
      </div>
      {error && <ErrorNote what={`The deleted ${what} cannot be shown.`} error={error} onRetry={() => void refetch()} />}
      {!things && !error && <Loading what={`the deleted ${what}`} />}
      {things?.length === 0 && <p className="px-1 py-1 text-sm text-muted">Nothing here. You can restore deleted documents for a few days.</p>}
      <ul aria-label={title}>
        {things?.map((thing) => (
          <li key={thing.id} className="flex items-center gap-2 px-1 py-1">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{thing.name}</span>
              <span className="block text-xs text-muted">
                deleted <RelativeTime date={thing.deleted_at} />, {timeLeft(new Date(thing.removed_at))}
              </span>
            </span>
            <Button
              small
              icon={Undo2}
              aria-label={`Bring back ${thing.name}`}
              busy={bringBack.isPending && bringBack.variables.id === thing.id && "Bringing back"}
              onClick={() => bringBack.mutate(thing)}
            >
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
