import { useEffect, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";
import { t } from "@/lib/i18n";

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
        aria-label={t("common.newName")}
        value={typed}
        required
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
      />
      <Button type="submit" variant="primary">
        {t("common.rename")}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        {t("common.keep")}
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
  const question = count === 1 ? t("documents.deleteThisDocumentWithItsText") : t("documents.deleteCountDocumentsWithTheirText", { count });
  return (
    <div role="group" aria-label={question} className="my-1 flex flex-wrap items-center gap-2">
      <span>{question}</span>
      <Button small variant="danger" autoFocus busy={busy && t("common.deleting")} onClick={() => void confirm()}>
        {t("common.delete")}
      </Button>
      <Button small variant="quiet" onClick={onCancel}>
        {t("common.keep")}
      </Button>
    </div>
  );
}
