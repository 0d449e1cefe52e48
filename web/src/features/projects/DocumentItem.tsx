import { Link } from "@tanstack/react-router";
import { Copy, FileText, FolderInput, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { IconButton } from "@/components/Button";
import { Menu, MenuItem } from "@/components/Menu";
import { RelativeTime } from "@/components/RelativeTime";
import type { LivingEntry } from "@/lib/api/projects";
import { cx } from "@/lib/cx";
import { rich, t } from "@/lib/i18n";
import { useInView } from "@/lib/inView";
import { useOrgPath } from "@/lib/organization";

import { ConfirmDelete } from "./ConfirmDelete";
import { NameForm } from "./NameForm";
import { PlaceDialog } from "./PlaceDialog";
import { useLivingChanges } from "./useLivingChanges";
import { useWho } from "./who";

import type { Placing } from "./usePlacing";

/** The mutation holds the error, and it is shown. */
const noted = (): void => undefined;

interface DocumentItemProps {
  entry: LivingEntry;
  /** How many of its passages rest on something that has changed. */
  stale: number;
  isOpen: boolean;
  onDeleted: () => void;
  /** How it is taken back. */
  onMoved: (back: Placing, to: string) => void;
}

/** A document in the list. One that is out of view is only its name, since a project may have very many. */
export function DocumentItem(props: DocumentItemProps) {
  const { entry, isOpen } = props;
  const orgPath = useOrgPath();
  const [item, isSeen] = useInView<HTMLLIElement>();
  return (
    <li ref={item} className={cx("min-h-12 rounded-md", isOpen ? "bg-hover" : "hover:bg-hover")}>
      {isSeen ? (
        <Item {...props} />
      ) : (
        <a href={orgPath(`projects/${entry.project_id}?document=${entry.id}`)} className="block truncate px-2 py-1.5 pl-8">
          {entry.name}
        </a>
      )}
    </li>
  );
}

/** Renamed and deleted in its place. */
function Item({ entry, stale, isOpen, onDeleted, onMoved }: DocumentItemProps) {
  const orgPath = useOrgPath();
  const who = useWho();
  const [doing, setDoing] = useState<"renaming" | "deleting" | "move" | "copy" | null>(null);
  const { change, remove } = useLivingChanges(entry.project_id, entry.id);
  if (doing === "renaming") {
    return (
      <div className="px-1.5 py-1">
        <NameForm
          label={t("common.newName")}
          name={entry.name}
          submit={t("common.rename")}
          busy={t("common.renaming")}
          onSubmit={async (name) => {
            await change.mutateAsync({ name });
            setDoing(null);
          }}
          onCancel={() => setDoing(null)}
        />
      </div>
    );
  }
  return (
    <>
      <div className="flex items-center gap-1 pr-1">
        <Link
          to={orgPath(`projects/${entry.project_id}`)}
          search={(old: object) => ({ ...old, document: entry.id, view: undefined, line: undefined, tab: "text" })}
          aria-current={isOpen ? "page" : undefined}
          className="flex min-w-0 flex-1 items-start gap-2 rounded-md px-2 py-1.5"
        >
          <FileText size={15} aria-hidden className={cx("mt-0.5 shrink-0", isOpen ? "text-accent" : "text-muted")} />
          <span className="min-w-0 flex-1">
            <span className={cx("block truncate", isOpen && "font-medium")}>{entry.name}</span>
            <span className="block truncate text-xs text-muted">
              <RelativeTime date={entry.created_at} />, {t("projects.changedBy", { who: who(entry) })}
            </span>
          </span>
          {stale > 0 && (
            <Badge tone="warm">
              {rich("projects.staleSpanStale", { stale, span: <span className="sr-only">{t("projects.passageIs", { stale })} </span> })}
            </Badge>
          )}
        </Link>
        <Menu align="end" trigger={<IconButton small icon={MoreHorizontal} label={t("projects.moreForName", { name: entry.name })} />}>
          <MenuItem icon={Pencil} onSelect={() => setDoing("renaming")}>
            {t("common.rename")}
          </MenuItem>
          <MenuItem icon={FolderInput} onSelect={() => setDoing("move")}>
            {t("projects.moveTo")}
          </MenuItem>
          <MenuItem icon={Copy} onSelect={() => setDoing("copy")}>
            {t("projects.copyTo")}
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => setDoing("deleting")}>
            {t("common.delete")}
          </MenuItem>
        </Menu>
      </div>
      {(doing === "move" || doing === "copy") && (
        <PlaceDialog entry={entry} way={doing} onClose={() => setDoing(null)} onMoved={onMoved} />
      )}
      {doing === "deleting" && (
        <div className="px-2 pb-1 text-sm">
          <ConfirmDelete
            question={t("projects.deleteNameWithAllItsVersions", { name: entry.name })}
            action={t("projects.deleteDocument")}
            isBusy={remove.isPending}
            error={remove.error}
            // The item goes with its document, and a promise outlives it.
            onConfirm={() => void remove.mutateAsync().then(onDeleted, noted)}
            onCancel={() => {
              remove.reset();
              setDoing(null);
            }}
          />
        </div>
      )}
    </>
  );
}
