import { Bot, RotateCcw, User } from "lucide-react";
import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { TextDiff } from "@/components/TextDiff";
import { useVersion } from "@/lib/api/projects";
import type { LivingEntry } from "@/lib/api/projects";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useHistory, useLivingChanges } from "./useLivingChanges";
import { useWho } from "./who";

/** All versions as a timeline, the newest first; each opens what it changed. */
export function History({ entry }: { entry: LivingEntry }) {
  const { data: versions, error, refetch } = useHistory(entry);
  const { restore } = useLivingChanges(entry.project_id, entry.id);
  const bringBack = (version: number): void =>
    restore.mutate(
      { version, base_version: entry.version },
      { onSuccess: (made) => toast(t("projects.versionVersionIsBackAsVersion", { version, version2: made.version })) },
    );
  return (
    <section aria-label={t("projects.historyOfName", { name: entry.name })} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-4">
        {error && <ErrorNote what={t("projects.theHistoryCannotBeShown")} error={error} onRetry={() => void refetch()} />}
        {restore.error && <ErrorNote className="mb-3" what={t("projects.nothingWasRestored")} error={restore.error} onDismiss={() => restore.reset()} />}
        {!versions && !error && <Loading what={t("projects.theHistory")} />}
        <ol aria-label={t("common.versions")}>
          {versions?.map((version, index) => (
            <VersionItem
              key={version.version}
              entry={version}
              before={versions[index + 1] ?? null}
              isNewest={index === 0}
              isRestoring={restore.isPending && restore.variables.version === version.version}
              onRestore={() => bringBack(version.version)}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

interface VersionItemProps {
  entry: LivingEntry;
  before: LivingEntry | null;
  isNewest: boolean;
  isRestoring: boolean;
  onRestore: () => void;
}

function VersionItem({ entry, before, isNewest, isRestoring, onRestore }: VersionItemProps) {
  const who = useWho();
  const [isOpen, setIsOpen] = useState(isNewest);
  const Icon = entry.author === "agent" ? Bot : User;
  const by = who(entry);
  return (
    <li className="relative pb-5 pl-9 last:pb-0 before:absolute before:top-7 before:bottom-0 before:left-3.5 before:w-px before:bg-line last:before:hidden">
      <span className="absolute top-0 left-0 flex size-7 items-center justify-center rounded-full border bg-surface text-muted">
        <Icon size={14} aria-hidden />
      </span>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{t("common.versionVersion", { version: entry.version })}</span>
        {isNewest && <Badge>{t("common.newest")}</Badge>}
        <span className="text-sm text-muted">
          {t("projects.byBy", { by })}{" "}<RelativeTime date={entry.created_at} />
        </span>
        <span className="ml-auto flex gap-1">
          <Button small variant="quiet" aria-expanded={isOpen} aria-label={isOpen ? t("projects.hideChangesOfVersionVersion", { version: entry.version }) : t("projects.showChangesOfVersionVersion", { version: entry.version })} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t("projects.hideChanges") : t("projects.showChanges")}
          </Button>
          {!isNewest && (
            <Button small icon={RotateCcw} aria-label={t("projects.restoreVersionVersion", { version: entry.version })} busy={isRestoring && t("projects.restoring")} onClick={onRestore}>
              {t("projects.restore")}
            </Button>
          )}
        </span>
      </div>
      {entry.reason && <p className="text-sm wrap-anywhere">{entry.reason}</p>}
      {isOpen && (
        <div className="mt-2 flex flex-col gap-2">
          <InstructionChange before={before?.standing_instruction ?? ""} after={entry.standing_instruction} />
          <TextChange entry={entry} before={before} />
        </div>
      )}
    </li>
  );
}

function InstructionChange({ before, after }: { before: string; after: string }) {
  if (before === after) return null;
  return (
    <div className="text-sm">
      <p className="text-muted">{t("projects.standingInstruction")}</p>
      {before && <del className="block text-bad wrap-anywhere whitespace-pre-wrap">{before}</del>}
      <ins className="block wrap-anywhere whitespace-pre-wrap no-underline">{after || t("common.none")}</ins>
    </div>
  );
}

function TextChange({ entry, before }: { entry: LivingEntry; before: LivingEntry | null }) {
  const of = (version: number) => ({ projectId: entry.project_id, documentId: entry.id, version });
  const { data: now, error } = useVersion(of(entry.version));
  const { data: old, error: oldError } = useVersion(before && of(before.version));
  if (error ?? oldError) return <ErrorNote what={t("projects.theChangesCannotBeShown")} error={error ?? oldError} />;
  if (now?.version !== entry.version || (before && old?.version !== before.version)) return <p className="text-sm text-muted">{t("projects.loadingTheChanges")}</p>;
  if (!before) {
    return now.content ? (
      <div
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t("projects.theFirstText")}
        className="max-h-96 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {now.content}
      </div>
    ) : (
      <p className="text-sm text-muted">{t("projects.itBeganEmpty")}</p>
    );
  }
  if (now.content === old?.content) {
    const isRenamed = before.standing_instruction === entry.standing_instruction;
    return <p className="text-sm text-muted">{isRenamed ? t("projects.itGotAnotherNameTheText") : t("projects.theTextIsAsBefore")}</p>;
  }
  return <TextDiff label={t("projects.whatVersionVersionChanged", { version: entry.version })} before={old?.content ?? ""} after={now.content} />;
}
