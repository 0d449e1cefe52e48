import { useEffect, useRef, useState } from "react";

import { Button } from "@/components/Button";
import { Input } from "@/components/Field";
import { messageOf } from "@/lib/api/errors";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

export const MOST_NAME_CHARACTERS = 200;

interface NameFormProps {
  label: string;
  name?: string;
  placeholder?: string;
  submit: string;
  busy: string;
  onSubmit: (name: string) => Promise<unknown>;
  /** Left out where there is nothing to go back to. */
  onCancel?: () => void;
  autoFocus?: boolean;
  className?: string;
}

/** A name in its place, to make something or to rename it. Enter keeps it, Escape drops it. */
export function NameForm({ label, name = "", placeholder, submit, busy, onSubmit, onCancel, autoFocus = true, className }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.select();
  }, [autoFocus]);
  const save = async (): Promise<void> => {
    const wanted = typed.trim();
    if (wanted === name) return onCancel?.();
    if (!wanted || isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await onSubmit(wanted);
    } catch (reason) {
      setError(messageOf(reason));
    }
    setIsBusy(false);
  };
  return (
    <form
      className={cx("flex min-w-0 flex-wrap items-center gap-1", className)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Input
        ref={input}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        autoFocus={autoFocus}
        required
        maxLength={MOST_NAME_CHARACTERS}
        placeholder={placeholder}
        className="min-w-32 flex-1"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onCancel?.()}
      />
      <span className="flex gap-1">
        <Button type="submit" variant="primary" busy={isBusy && busy}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </span>
      {error && (
        <p role="alert" className="basis-full text-sm text-bad">
          {error}
        </p>
      )}
    </form>
  );
}
