import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { plural } from "@/lib/format";
import { useWished } from "@/lib/wished";

import { OpenableRow } from "../OpenableRow";

import { KeyForm } from "./KeyForm";
import { ModelChoice } from "./ModelChoice";
import { TestProvider } from "./TestProvider";
import { useChangeProvider, useRemoveProvider } from "./useProviders";

import type { Provider, Scope } from "./useProviders";

interface ProviderRowProps {
  provider: Provider;
  scope: Scope;
}

/** One provider: where it stands; opened, everything that can be set. */
export function ProviderRow({ provider, scope }: ProviderRowProps) {
  return (
    <OpenableRow
      className="gap-5"
      head={
        <>
          <span className="font-medium">{provider.display_name}</span>
          <Standing provider={provider} scope={scope} />
          <span className="ml-auto text-sm text-muted max-sm:hidden">
            {plural(provider.litellm_models_enabled.length, "model")} on
          </span>
        </>
      }
    >
      <Details provider={provider} scope={scope} />
    </OpenableRow>
  );
}

function Standing({ provider, scope }: ProviderRowProps) {
  if (!provider.enabled) return <Badge>switched off</Badge>;
  if (provider.usable) return <Badge tone="good">{provider.token === null && provider.needs_token && scope === "organisation" ? "ready, with the server's key" : "ready"}</Badge>;
  return <Badge>{provider.needs_token && provider.token === null ? "needs a key" : "not set up"}</Badge>;
}

function Details({ provider, scope }: ProviderRowProps) {
  const change = useChangeProvider(scope, provider.name);
  const isBuiltIn = provider.kind === "built_in";
  const [isOn, wish] = useWished(provider.enabled, (enabled, options) => change.mutate({ enabled }, options));
  if (isBuiltIn) {
    return (
      <>
        <p className="text-sm text-muted">Rules of our own, not a language model. It is always there, needs no key and costs nothing.</p>
        {scope === "server" && <TestProvider provider={provider} />}
      </>
    );
  }
  return (
    <>
      <div className="flex flex-col gap-1">
        <Checkbox label={`Use ${provider.display_name}`} checked={isOn} onChange={(event) => wish(event.target.checked)} />
        {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
        {provider.token && provider.token_created_at && (
          <p className="text-sm text-muted">
            The key <span className="font-mono">{provider.token}</span> was set <RelativeTime date={provider.token_created_at} />.
          </p>
        )}
      </div>
      <KeyForm provider={provider} scope={scope} />
      {scope === "server" && <TestProvider provider={provider} />}
      <ModelChoice provider={provider} scope={scope} />
      {scope === "server" && provider.custom && <Remove provider={provider} />}
    </>
  );
}

function Remove({ provider }: { provider: Provider }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemoveProvider(provider.name);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isAsking ? (
        <>
          <span>Remove {provider.display_name}? Prompts that name its models run on the default then.</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && "Removing"} onClick={() => remove.mutate()}>
            Remove server
          </Button>
          <Button small variant="quiet" onClick={() => setIsAsking(false)}>
            Keep
          </Button>
        </>
      ) : (
        <Button small variant="danger" onClick={() => setIsAsking(true)}>
          Remove this server
        </Button>
      )}
      {remove.error && <ErrorNote what="It is still here." error={remove.error} />}
    </div>
  );
}
