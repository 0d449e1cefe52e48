import { useEffect, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";

interface RenameFormProps {
  name: string;
  onRename: (name: string) => Promise<void>;
  onCancel: () => void;
}

/** The name as a field, in its place. Enter keeps the change, Escape drops it. */
export function RenameForm({ name, onRename, onCancel }: RenameFormProps) {
  const [typed, setTyped] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The end of the name stays: a document keeps its kind.
    const dot = name.lastIndexOf(".");
    input.current?.focus();
    input.current?.setSelectionRange(0, dot > 0 ? dot : name.length);
  }, [name]);
  return (
    <form
      className="flex gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === name) onCancel();
        else void onRename(typed.trim());
      }}
    >
      <Input
        ref={input}
        aria-label="New name"
        value={typed}
        required
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
      />
      <Button type="submit" variant="primary">
        Rename
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        Keep
      </Button>
    </form>
  );
}

interface ConfirmDeleteProps {
  count: number;
  onConfirm: () => Promise<void>;
  onCancel: () => void;
}

/** The question before something is gone, where the thing is. */
export function ConfirmDelete({ count, onConfirm, onCancel }: ConfirmDeleteProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
  };
  const question = count === 1 ? "Delete this document with its text and results?" : `Delete ${count} documents with their text and results?`;
  return (
    <div role="group" aria-label={question} className="my-1 flex flex-wrap items-center gap-2">
      <span>{question}</span>
      <Button small variant="danger" autoFocus busy={busy && "Deleting"} onClick={() => void confirm()}>
        Delete
      </Button>
      <Button small variant="quiet" onClick={onCancel}>
        Keep
      </Button>
    </div>
  );
}
