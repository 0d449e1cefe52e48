import { stepsFor } from "@/lib/failures";
import type { Step } from "@/lib/failures";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { useRights } from "@/lib/rights";

import { ButtonLink } from "./ButtonLink";
import { ErrorNote } from "./Notes";

interface FailureStepsProps {
  /** What went wrong, as the server calls it. */
  code: string | null | undefined;
  /** The prompt that ran; it may have a model of its own. */
  promptId?: string;
  /** The document that it ran on, where another page shows the failure. */
  documentId?: string;
}

/** Pages on which something can be done about a failure, for who may do it. */
export function FailureSteps({ code, ...about }: FailureStepsProps) {
  const steps = stepsFor(code).filter((step) => step !== "retry");
  return steps.length > 0 && <Pages steps={steps} {...about} />;
}

function Pages({ steps, promptId, documentId }: Omit<FailureStepsProps, "code"> & { steps: readonly Step[] }) {
  const orgPath = useOrgPath();
  const { isAdmin } = useRights();
  const hasOwnModel = promptId !== undefined && promptId !== "default";
  const link = (to: string, text: string) => (
    <ButtonLink small to={orgPath(to)}>
      {text}
    </ButtonLink>
  );
  return (
    <>
      {steps.includes("document") && documentId && link(`documents/${documentId}`, t("components.showTheDocument"))}
      {steps.includes("provider") && isAdmin && link("settings/providers", t("components.openTheProvider"))}
      {steps.includes("credits") && isAdmin && link("settings/usage", t("components.showTheCredits"))}
      {steps.includes("model") && (hasOwnModel || isAdmin) && link(hasOwnModel ? `prompts/${promptId}` : "settings/models", t("components.chooseAnotherModel"))}
    </>
  );
}

interface FailureNoteProps extends FailureStepsProps {
  what: string;
  error: unknown;
  onRetry?: () => void;
  onDismiss?: () => void;
  className?: string;
}

/** Work that failed, with the next steps that fit as buttons. */
export function FailureNote({ what, error, onRetry, onDismiss, className, ...failure }: FailureNoteProps) {
  return (
    <ErrorNote className={className} what={what} error={error} onRetry={stepsFor(failure.code).includes("retry") ? onRetry : undefined} onDismiss={onDismiss}>
      <FailureSteps {...failure} />
    </ErrorNote>
  );
}
