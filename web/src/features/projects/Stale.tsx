import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import type { LivingDocument } from "@/lib/api/projects";
import type { Citation, CitedTable } from "@/lib/citations";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useLivingChanges } from "./useLivingChanges";

interface StaleProps {
  document: LivingDocument;
  stale: readonly (Citation | CitedTable)[];
  onAsk?: (text: string) => void;
}

/** Some of what the text rests on has changed: what is known is put in, for the rest the agent can be asked. */
export function Stale({ document, stale, onAsk }: StaleProps) {
  const { update } = useLivingChanges(document.project_id, document.id);
  const count = stale.length;
  const isKnown = stale.some((one) => one.suggested !== null);
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-warm-soft px-4 py-1.5 text-sm">
      <p className="min-w-0 flex-1">
        {count === 1 ? t("projects.theSourceOfOnePassageHas") : t("projects.theSourcesOfCountPassagesHave", { count })}
      </p>
      {isKnown ? (
        <Button
          small
          busy={update.isPending && t("common.saving")}
          onClick={() => update.mutate({ base_version: document.version }, { onSuccess: (made) => toast(t("projects.savedVersionVersion", { version: made.version })) })}
        >
          {t("projects.updateTheText")}
        </Button>
      ) : (
        onAsk && (
          <Button small onClick={() => onAsk(`Update the stale passages of "${document.name}"`)}>
            {t("projects.askTheAgentToUpdateIt", { count })}
          </Button>
        )
      )}
      {update.error && <ErrorNote className="w-full" what={t("projects.nothingWasSaved")} error={update.error} onDismiss={() => update.reset()} />}
    </div>
  );
}
