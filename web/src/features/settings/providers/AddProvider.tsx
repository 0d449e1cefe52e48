import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
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
          toast(`Added ${displayName.trim()}.`);
          onDone();
        },
      },
    );
  return (
    <form
      aria-label="Add a server of your own"
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="text-sm text-muted">Any server that speaks OpenAI&apos;s chat format. It must be reachable from this server.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Name">{(control) => <Input {...control} required autoFocus autoComplete="off" value={displayName} onChange={(event) => setDisplayName(event.target.value)} />}</Field>
        <Field label="Address">
          {(control) => <Input {...control} required type="url" placeholder="http://127.0.0.1:8000/v1" value={baseUrl} onChange={(event) => setBaseUrl(event.target.value)} />}
        </Field>
        <Field label="Models" hint="As the server calls them, with commas between.">
          {(control) => <Input {...control} required value={models} onChange={(event) => setModels(event.target.value)} />}
        </Field>
        <Field label="Key" hint="If the server wants one.">
          {(control) => <Input {...control} type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />}
        </Field>
      </div>
      {add.error && <ErrorNote what="The server was not added." error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={add.isPending && "Adding"}>
          Add server
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
