import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";
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
          toast(t("providers.savedDisplayName", { displayName: provider.display_name }));
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
        <Field label={provider.token ? t("providers.newKey") : t("common.key")} hint={provider.needs_token ? undefined : t("providers.onlyIfTheServerWantsOne")}>
          {(control) => <Input {...control} type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />}
        </Field>
        {scope === "server" && (
          <Field label={t("common.address")} hint={t("providers.emptyIsTheProvidersOwnA")}>
            {(control) => <Input {...control} type="url" autoComplete="off" value={address} onChange={(event) => setAddress(event.target.value)} />}
          </Field>
        )}
      </div>
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
      <div className="flex gap-2">
        <Button type="submit" small variant="primary" busy={change.isPending && t("common.saving")} disabledBecause={isSame && t("providers.typeAKeyOrAnAddress")}>
          {newAddress ? t("providers.saveKeyAndAddress") : t("providers.saveKey")}
        </Button>
        {provider.token && (
          <Button small variant="danger" onClick={() => change.mutate({ token: "" })}>
            {t("providers.removeKey")}
          </Button>
        )}
      </div>
    </form>
  );
}
