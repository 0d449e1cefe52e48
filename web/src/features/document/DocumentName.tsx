import { useEffect, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";
import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";

interface DocumentNameProps {
  name: string;
  onRename: (name: string) => Promise<unknown>;
}

/** The name as the page's heading; press it to change it in its place. */
export function DocumentName({ name, onRename }: DocumentNameProps) {
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <RenameForm name={name} onRename={onRename} onClose={() => setIsEditing(false)} />;
  return (
    <h1 className="min-w-0 text-base">
      <button
        type="button"
        title={t("document.namePressToRename", { name })}
        className="block max-w-full truncate rounded-sm px-1 py-0.5 hover:bg-hover"
        onClick={() => setIsEditing(true)}
      >
        {name}
      </button>
    </h1>
  );
}

function RenameForm({ name, onRename, onClose }: DocumentNameProps & { onClose: () => void }) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The end of the name stays: a document keeps its kind.
    const dot = name.lastIndexOf(".");
    input.current?.focus();
    input.current?.setSelectionRange(0, dot > 0 ? dot : name.length);
  }, [name]);
  const save = async (): Promise<void> => {
    if (typed.trim() === name) return onClose();
    setIsBusy(true);
    try {
      await onRename(typed.trim());
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setIsBusy(false);
    }
  };
  return (
    <form
      className="flex min-w-0 flex-1 flex-wrap items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Input
        ref={input}
        aria-label={t("document.nameOfTheDocument")}
        aria-invalid={error ? true : undefined}
        required
        className="!h-7 max-w-80 flex-1"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      <Button small type="submit" variant="primary" busy={isBusy && t("common.renaming")}>
        {t("common.rename")}
      </Button>
      <Button small variant="quiet" onClick={onClose}>
        {t("common.keep")}
      </Button>
      {error && (
        <p role="alert" className="basis-full text-sm text-bad">
          {error}
        </p>
      )}
    </form>
  );
}
