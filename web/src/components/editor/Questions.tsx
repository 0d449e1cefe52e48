import { Button } from "../Button";
import { ErrorNote } from "../Notes";

import type { ReactNode } from "react";

interface BeforeSavingProps {
  /** What the button does: "Save version". */
  action: string;
  isSaving: boolean;
  error: unknown;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** What will be different, before it is. */
export function BeforeSaving({ action, isSaving, error, onSave, onClose, children }: BeforeSavingProps) {
  return (
    <section aria-label="Before saving" className="flex max-h-[50dvh] flex-col gap-3 overflow-y-auto border-b bg-canvas px-4 py-3">
      {children}
      {Boolean(error) && <ErrorNote what="Nothing was saved; what you typed is still here." error={error} />}
      <div className="flex gap-2">
        <Button variant="primary" autoFocus busy={isSaving && "Saving"} onClick={onSave}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Keep editing
        </Button>
      </div>
    </section>
  );
}

interface BeforeDeletingProps {
  noun: string;
  name: string;
  isDeleting: boolean;
  /** Why it is still there. */
  error: unknown;
  onDelete: () => void;
  onClose: () => void;
  /** What is in the way, below the error. */
  children?: ReactNode;
}

/** Asks once; what the server refuses is told in the same place. */
export function BeforeDeleting({ noun, name, isDeleting, error, onDelete, onClose, children }: BeforeDeletingProps) {
  return (
    <section aria-label={`Delete ${name}?`} className="flex flex-col gap-2 border-b bg-canvas px-4 py-3">
      {error ? (
        <ErrorNote what={`The ${noun} is still here.`} error={error} onDismiss={onClose} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <p>
            Delete the {noun} {name} with all its versions?
          </p>
          <Button small variant="danger" autoFocus busy={isDeleting && "Deleting"} onClick={onDelete}>
            Delete {noun}
          </Button>
          <Button small variant="quiet" onClick={onClose}>
            Keep
          </Button>
        </div>
      )}
      {children}
    </section>
  );
}
