import { GitMerge } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { TextDiff } from "@/components/TextDiff";
import { useVersion } from "@/lib/api/projects";
import type { LivingDocument } from "@/lib/api/projects";
import { t } from "@/lib/i18n";

import { useWho } from "./who";

interface MergedProps {
  document: LivingDocument;
  /** The version that the text in the editor was merged with. */
  version: number;
  text: string;
  onBack: () => void;
}

/** The editor holds a merge that is not saved yet: what saving would change, and the way back. */
export function Merged({ document, version, text, onBack }: MergedProps) {
  const who = useWho();
  const [isOpen, setIsOpen] = useState(true);
  const { data: theirs } = useVersion({ projectId: document.project_id, documentId: document.id, version });
  const by = theirs ? who(theirs) : null;
    return (
    <section role="status" aria-label={t("projects.merged")} className="flex max-h-[50%] shrink-0 flex-col gap-2 overflow-y-auto border-b bg-sunken px-4 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <GitMerge size={15} aria-hidden className="shrink-0 text-muted" />
        <p className="min-w-0 flex-1">
          {by === null ? t("projects.mergedWithVersion", { version }) : t("projects.mergedWithVersionBy", { version, by })}
        </p>
        <Button small variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t("projects.hideTheChanges") : t("projects.showTheChanges")}
        </Button>
        <Button small onClick={onBack}>
          {t("projects.backToMineAlone")}
        </Button>
      </div>
      {isOpen && theirs?.version === version && (
        <TextDiff label={t("projects.whatSavingWouldChangeInVersion", { version })} before={theirs.content} after={text} />
      )}
    </section>
  );
}
