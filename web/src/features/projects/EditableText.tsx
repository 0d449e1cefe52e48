import { ChevronRight, Pencil } from "lucide-react";
import { useId, useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Field, Textarea } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { cx } from "@/lib/cx";
import { recallUnsaved } from "@/lib/drafts";
import { t } from "@/lib/i18n";

import { useKept } from "./useKept";

const MOST_CHARACTERS = 10_000;

interface EditableTextProps {
  /** "Standing instruction". */
  title: string;
  value: string;
  /** Said in place of the value when there is none. */
  none: string;
  hint: string;
  /** What is typed is kept under this name until it is saved. */
  draft: string;
  onSave: (value: string) => Promise<unknown>;
  className?: string;
}

/** A short text as one line that opens, and is changed in its place. */
export function EditableText({ title, value, none, hint, draft, onSave, className }: EditableTextProps) {
  const id = useId();
  const [isEditing, setIsEditing] = useState(() => recallUnsaved<string>(draft) !== null);
  const [isOpen, setIsOpen] = useState(isEditing);
  return (
    <div className={cx("min-w-0", className)}>
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-7 min-w-0 flex-1 items-center gap-1.5 rounded-sm text-left text-sm text-muted hover:text-ink"
        >
          <ChevronRight size={14} aria-hidden className={cx("shrink-0 transition-transform", isOpen && "rotate-90")} />
          <span className="shrink-0 font-medium text-ink">{title}</span>
          {!isOpen && <span className="truncate">{value || none}</span>}
        </button>
        {isOpen && !isEditing && <IconButton small icon={Pencil} label={t("projects.editTitle", { title })} onClick={() => setIsEditing(true)} />}
      </div>
      {isOpen && (
        <div id={id} className="pt-1 pb-2 pl-5">
          {isEditing ? (
            <TextForm title={title} value={value} hint={hint} draft={draft} onSave={onSave} onClose={() => setIsEditing(false)} />
          ) : value ? (
            <p className="text-sm wrap-anywhere whitespace-pre-wrap">{value}</p>
          ) : (
            <div className="flex flex-col items-start gap-2">
              <p className="text-sm text-muted">{hint}</p>
              <Button small onClick={() => setIsEditing(true)}>
                {t("projects.writeIt")}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function TextForm({ title, value, hint, draft, onSave, onClose }: Omit<EditableTextProps, "none" | "className"> & { onClose: () => void }) {
  const [typed, setTyped] = useState(() => recallUnsaved<string>(draft)?.value ?? value);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const finish = useKept(draft, typed === value ? null : typed, null);
  const close = (): void => {
    finish();
    onClose();
  };
  const save = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      if (typed.trim() !== value) await onSave(typed.trim());
      close();
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={title} hideLabel hint={hint}>
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={3}
            maxLength={MOST_CHARACTERS}
            className="resize-y"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && typed === value && close()}
          />
        )}
      </Field>
      {error !== null && <ErrorNote what={t("projects.itWasNotSavedWhatYou")} error={error} onDismiss={() => setError(null)} />}
      <div className="flex gap-1">
        <Button small type="submit" variant="primary" busy={isBusy && t("common.saving")}>
          {t("common.save")}
        </Button>
        <Button small variant="quiet" onClick={close}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
