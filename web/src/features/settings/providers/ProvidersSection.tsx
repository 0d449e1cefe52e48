import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { useCommands } from "@/lib/commands";
import { useRights } from "@/lib/rights";


import { AddProvider } from "./AddProvider";
import { ProviderRow } from "./ProviderRow";
import { useProviders } from "./useProviders";

import type { Scope } from "./useProviders";

const ABOUT: Record<Scope, string> = {
  server: "Keys and models for everyone on this server.",
  organisation: "A key and a choice of models of this organisation's own; it goes before the server's.",
};

export function ProvidersSection() {
  const { isSystemAdmin, adminsOnly } = useRights();
  const [scope, setScope] = useState<Scope>(isSystemAdmin ? "server" : "organisation");
  const [isAdding, setIsAdding] = useState(false);
  const { data, error, refetch } = useProviders(scope);
  useCommands(isSystemAdmin ? [{ id: "providers.add", label: "Add a model server of your own", run: () => setIsAdding(true) }] : []);
  if (adminsOnly) return <p className="text-muted">Administrators of the organisation set keys and choose models here.</p>;
  return (
    <>
      {isSystemAdmin && (
        <div role="group" aria-label="Whose providers" className="inline-flex gap-1 self-start rounded-lg bg-sunken p-1">
          {(["server", "organisation"] as const).map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed={scope === value}
              onClick={() => setScope(value)}
              className="h-7 rounded-md px-3 text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink"
            >
              {value === "server" ? "Whole server" : "This organisation"}
            </button>
          ))}
        </div>
      )}
      <p className="text-muted">{ABOUT[scope]} Keys are stored sealed and never shown again.</p>
      {error && <ErrorNote what="The providers cannot be shown." error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the providers" />}
      {data && (
        <ul aria-label="Providers" className="flex flex-col divide-y rounded-lg border bg-surface">
          {data.map((provider) => (
            <ProviderRow key={`${scope} ${provider.name}`} provider={provider} scope={scope} />
          ))}
        </ul>
      )}
      {scope === "server" &&
        (isAdding ? (
          <AddProvider onDone={() => setIsAdding(false)} />
        ) : (
          <div>
            <Button icon={Plus} onClick={() => setIsAdding(true)}>
              Add a server of your own
            </Button>
          </div>
        ))}
    </>
  );
}
