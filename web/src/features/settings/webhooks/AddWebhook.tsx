import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

import { useWebhookCalls } from "./useWebhooks";

import type { WebhookEvent } from "./useWebhooks";

/** What people usually want to hear of. Programs choose among all of them through the API. */
const USUAL: readonly WebhookEvent[] = ["document_read", "document_read_failed", "extraction_completed", "extraction_failed", "result.reviewed", "turn_waits"];

/** An address, and what it is told. `onDone` gets the secret that signs what is sent; null if nothing was added. */
export function AddWebhook({ onDone }: { onDone: (secret: string | null) => void }) {
  const [url, setUrl] = useState("");
  const [name, setName] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>([]);
  const { add } = useWebhookCalls();
  return (
    <form
      aria-label={t("webhooks.addAWebhook")}
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ url: url.trim(), name: name.trim() || null, events: [...events] }, { onSuccess: (made) => onDone(made.secret ?? null) });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.address")}>
          {(control) => <Input {...control} required autoFocus type="url" value={url} onChange={(event) => setUrl(event.target.value)} />}
        </Field>
        <Field label={t("common.name")} hint={t("webhooks.optional")}>
          {(control) => <Input {...control} maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </div>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{t("webhooks.whatItIsTold")}</legend>
        <p className="text-sm text-muted">{t("webhooks.noneMeansEverything")}</p>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {USUAL.map((event) => (
            <Checkbox
              key={event}
              label={words(event.replace(".", " "))}
              checked={events.includes(event)}
              onChange={({ target }) => setEvents(target.checked ? [...events, event] : events.filter((one) => one !== event))}
            />
          ))}
        </div>
      </fieldset>
      {add.error && <ErrorNote what={t("webhooks.theWebhookWasNotAdded")} error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={add.isPending && t("common.adding")}>
          {t("webhooks.addWebhook")}
        </Button>
        <Button variant="quiet" onClick={() => onDone(null)}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
