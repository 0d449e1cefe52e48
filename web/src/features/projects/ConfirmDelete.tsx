import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";

interface ConfirmDeleteProps {
  question: string;
  /** "Delete project". */
  action: string;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The question before something is gone, where the thing is. */
export function ConfirmDelete({ question, action, isBusy, error, onConfirm, onCancel }: ConfirmDeleteProps) {
  return (
    <div role="group" aria-label={question} className="flex flex-wrap items-center gap-2 py-1">
      {error ? (
        <ErrorNote className="w-full" what={t("common.itIsStillHere")} error={error} onDismiss={onCancel} />
      ) : (
        <>
          <span className="wrap-anywhere">{question}</span>
          <Button small variant="danger" autoFocus busy={isBusy && t("common.deleting")} onClick={onConfirm}>
            {action}
          </Button>
          <Button small variant="quiet" onClick={onCancel}>
            {t("common.keep")}
          </Button>
        </>
      )}
    </div>
  );
}
