import { Button } from "@/components/Button";
import type { LivingDocument } from "@/lib/api/projects";
import { t } from "@/lib/i18n";

interface StaleProps {
  document: LivingDocument;
  count: number;
  onAsk?: (text: string) => void;
}

/** Some of what the text rests on has changed: the agent can be asked to propose the update. */
export function Stale({ document, count, onAsk }: StaleProps) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b bg-warm-soft px-4 py-1.5 text-sm">
      <p className="min-w-0 flex-1">
        {count === 1 ? t("projects.theSourceOfOnePassageHas") : t("projects.theSourcesOfCountPassagesHave", { count })}
      </p>
      {onAsk && (
        <Button small onClick={() => onAsk(`Update the stale passages of "${document.name}"`)}>
          {t("projects.askTheAgentToUpdateIt", { count })}
        </Button>
      )}
    </div>
  );
}
