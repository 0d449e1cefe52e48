import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";


import { AddProvider } from "./AddProvider";
import { ProviderRow } from "./ProviderRow";
import { useProviders } from "./useProviders";

import type { Scope } from "./useProviders";

const ABOUT: Record<Scope, string> = {
  get server() { return t("providers.keysAndModelsForEveryoneOn"); },
  get organisation() { return t("providers.ofThisOrganisation"); },
};

export function ProvidersSection() {
  const { isSystemAdmin, adminsOnly } = useRights();
  const [scope, setScope] = useState<Scope>(isSystemAdmin ? "server" : "organisation");
  const [isAdding, setIsAdding] = useState(false);
  const { data, error, refetch } = useProviders(scope);
  useCommands(isSystemAdmin ? [{ id: "providers.add", label: t("providers.addAModelServerOfYour"), run: () => setIsAdding(true) }] : []);
  if (adminsOnly) return <p className="text-muted">{t("providers.administratorsOfTheOrganisationSetKeys")}</p>;
  return (
    <>
      {isSystemAdmin && (
        <div role="group" aria-label={t("providers.whoseProviders")} className="inline-flex gap-1 self-start rounded-lg bg-sunken p-1">
          {(["server", "organisation"] as const).map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed={scope === value}
              onClick={() => setScope(value)}
              className="h-7 rounded-md px-3 text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink"
            >
              {value === "server" ? t("providers.wholeServer") : t("providers.thisOrganisation")}
            </button>
          ))}
        </div>
      )}
      <p className="text-muted">{t("providers.aboutKeysAreStoredSealedAnd", { about: ABOUT[scope] })}</p>
      {error && <ErrorNote what={t("providers.theProvidersCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("providers.theProviders")} />}
      {data && (
        <ul aria-label={t("providers.providers")} className="flex flex-col divide-y rounded-lg border bg-surface">
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
              {t("providers.addAServerOfYourOwn")}
            </Button>
          </div>
        ))}
    </>
  );
}
