import { useState } from "react";

import { t } from "@/lib/i18n";

import { Button } from "../Button";
import { Field, Textarea } from "../Field";

interface ReasonFormProps {
  label: string;
  submit: string;
  busy: string | false;
  onSubmit: (reason: string) => void;
  onCancel: () => void;
}

/** A verdict with a few words. Enter sends it, Escape goes back. */
export function ReasonForm({ label, submit, busy, onSubmit, onCancel }: ReasonFormProps) {
  const [reason, setReason] = useState("");
  const send = (): void => onSubmit(reason.trim());
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label={label}>
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={2}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") onCancel();
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                send();
              }
            }}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button small variant="danger" type="submit" busy={busy}>
          {submit}
        </Button>
        <Button small onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
