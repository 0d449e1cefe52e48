import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { toast } from "@/lib/toasts";

import { useChangeProvider } from "./useProviders";

import type { Provider, Scope } from "./useProviders";

/** The key, and for the whole server the address. A key goes only where it was meant to: a new address needs it again. */
export function KeyForm({ provider, scope }: { provider: Provider; scope: Scope }) {
  const [key, setKey] = useState("");
  const [address, setAddress] = useState(provider.base_url ?? "");
  const change = useChangeProvider(scope, provider.name);
  const newAddress = scope === "server" && address.trim() !== (provider.base_url ?? "");
  const isSame = key === "" && !newAddress;
  const save = (): void =>
    change.mutate(
      { ...(key !== "" && { token: key }), ...(newAddress && { base_url: address.trim() }) },
      {
        onSuccess: () => {
          setKey("");
          toast(`Saved ${provider.display_name}.`);
        },
      },
    );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) save();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={provider.token ? "New key" : "Key"} hint={provider.needs_token ? undefined : "Only if the server wants one."}>
          {(control) => <Input {...control} type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />}
        </Field>
        {scope === "server" && (
          <Field label="Address" hint="Empty is the provider's own. A new address needs the key again.">
            {(control) => <Input {...control} type="url" autoComplete="off" value={address} onChange={(event) => setAddress(event.target.value)} />}
          </Field>
        )}
      </div>
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
      <div className="flex gap-2">
        <Button type="submit" small variant="primary" busy={change.isPending && "Saving"} disabledBecause={isSame && "Type a key or an address first."}>
          {newAddress ? "Save key and address" : "Save key"}
        </Button>
        {provider.token && (
          <Button small variant="danger" onClick={() => change.mutate({ token: "" })}>
            Remove key
          </Button>
        )}
      </div>
    </form>
  );
}
