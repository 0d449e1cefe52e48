import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";

import { COLOURS, ColourChoice } from "./ColourChoice";

import type { KeyboardEvent } from "react";

export interface TagValues {
  name: string;
  color: string;
  description: string | null;
}

interface TagFormProps {
  initial?: TagValues;
  /** What the button does, and what it says while it does it. */
  submit: string;
  busy: string;
  onSubmit: (values: TagValues) => Promise<void>;
  onCancel: () => void;
}

/** Name, colour and description of a tag; what the server refuses is said below them, and nothing typed is lost. */
export function TagForm({ initial, submit, busy, onSubmit, onCancel }: TagFormProps) {
  const [name, setName] = useState(initial?.name ?? "");
  const [color, setColor] = useState(initial?.color ?? COLOURS[0]?.value ?? "");
  const [description, setDescription] = useState(initial?.description ?? "");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);

  const send = async (): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await onSubmit({ name: name.trim(), color, description: description.trim() || null });
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };

  const leave = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onCancel();
  };

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.name")}>
          {(control) => (
            <Input
              {...control}
              required
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={leave}
            />
          )}
        </Field>
        <Field label={t("common.description")}>
          {(control) => (
            <Input
              {...control}
              placeholder={t("tags.whatItIsForOptional")}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
              onKeyDown={leave}
            />
          )}
        </Field>
      </div>
      <ColourChoice value={color} onChange={setColor} />
      {error !== null && <ErrorNote error={error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={isBusy && busy}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
