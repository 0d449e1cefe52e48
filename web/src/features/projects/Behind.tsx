import { Info } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { TextDiff } from "@/components/TextDiff";
import { useVersion } from "@/lib/api/projects";
import type { LivingDocument } from "@/lib/api/projects";
import { t } from "@/lib/i18n";

import { Clashes } from "./Clashes";
import { useWho } from "./who";

import type { Editing } from "./editing";
import type { Merge } from "./merging";

interface BehindProps {
  editing: Editing;
  newest: LivingDocument;
  isBusy: boolean;
  /** What both changed, once a merge was tried; null before. */
  merge: Merge | null;
  onTry: () => void;
  onMerge: (text: string) => void;
  onTake: () => void;
  onKeep: () => void;
}

/** Somebody else saved while the user typed: what they changed, and the ways out: merge, mine, theirs. */
export function Behind({ editing, newest, isBusy, merge, onTry, onMerge, onTake, onKeep }: BehindProps) {
  const who = useWho();
  const [isOpen, setIsOpen] = useState(false);
  const { data: base } = useVersion(isOpen ? { projectId: newest.project_id, documentId: newest.id, version: editing.base } : null);
  const by = who(newest);
  return (
    <section role="alert" aria-label={t("projects.changedMeanwhile")} className="flex max-h-[50%] shrink-0 flex-col gap-2 overflow-y-auto border-b bg-sunken px-4 py-2 text-sm">
      <div className="flex gap-2">
        <Info size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <p>
          {newest.reason ? t("projects.bySavedVersionVersionMeanwhileReason", { by, version: newest.version, reason: newest.reason, base: editing.base }) : t("projects.bySavedVersionVersionMeanwhileYour", { by, version: newest.version, base: editing.base })}
        </p>
      </div>
      <div className="flex flex-wrap gap-1 pl-6">
        {!merge && (
          <Button small variant="primary" busy={isBusy && t("projects.merging")} onClick={onTry}>
            {t("projects.mergeBoth")}
          </Button>
        )}
        <Button small busy={isBusy && t("common.saving")} onClick={onKeep}>
          {t("projects.saveMineOnTop")}
        </Button>
        <Button small onClick={onTake}>
          {t("projects.takeVersionVersion", { version: newest.version })}
        </Button>
        <Button small variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t("projects.hideItsChanges") : t("projects.showItsChanges")}
        </Button>
      </div>
      {merge && (
        <div className="pl-6">
          <Clashes key={merge.version} merge={merge} onMerge={onMerge} />
        </div>
      )}
      {isOpen &&
        (base?.version === editing.base ? (
          <TextDiff label={t("projects.fromVersionBaseToVersionVersion", { base: editing.base, version: newest.version })} before={base.content} after={newest.content} />
        ) : (
          <p className="text-muted">{t("projects.loadingVersionBase", { base: editing.base })}</p>
        ))}
    </section>
  );
}
