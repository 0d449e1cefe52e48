import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useAddProvider } from "./useProviders";

/** A model server that speaks OpenAI's format: vLLM, llama.cpp, LM Studio and others. */
export function AddProvider({ onDone }: { onDone: () => void }) {
  const [displayName, setDisplayName] = useState("");
  const [baseUrl, setBaseUrl] = useState("");
  const [key, setKey] = useState("");
  const [models, setModels] = useState("");
  const add = useAddProvider();
  const name = displayName.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  const names = models.split(",").map((model) => model.trim()).filter(Boolean);
  const send = (): void =>
    add.mutate(
      { name, display_name: displayName.trim(), base_url: baseUrl.trim(), token: key || null, models: names },
      {
        onSuccess: () => {
          toast(t("providers.addedDisplayName", { displayName: displayName.trim() }));
          onDone();
        },
      },
    );
  return (
    <form
      aria-label={t("providers.addAServerOfYourOwn")}
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="text-sm text-muted">{t("providers.anyServerThatSpeaksOpenAIsChat")}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.name")}>{(control) => <Input {...control} required autoFocus autoComplete="off" value={displayName} onChange={(event) => setDisplayName(event.target.value)} />}</Field>
        <Field label={t("common.address")}>
          {(control) => <Input {...control} required type="url" placeholder="http://127.0.0.1:8000/v1" value={baseUrl} onChange={(event) => setBaseUrl(event.target.value)} />}
        </Field>
        <Field label={t("common.models")} hint={t("providers.asTheServerCallsThemWith")}>
          {(control) => <Input {...control} required value={models} onChange={(event) => setModels(event.target.value)} />}
        </Field>
        <Field label={t("common.key")} hint={t("providers.ifTheServerWantsOne")}>
          {(control) => <Input {...control} type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />}
        </Field>
      </div>
      {add.error && <ErrorNote what={t("providers.theServerWasNotAdded")} error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={add.isPending && t("common.adding")}>
          {t("common.addServer")}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
