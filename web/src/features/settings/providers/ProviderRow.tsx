import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { rich, t } from "@/lib/i18n";
import { useWished } from "@/lib/wished";

import { OpenableRow } from "../OpenableRow";

import { DefaultOffer } from "./DefaultOffer";
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
            {t("providers.countModelOn", { count: provider.litellm_models_enabled.length })}
          </span>
        </>
      }
    >
      <Details provider={provider} scope={scope} />
    </OpenableRow>
  );
}

function Standing({ provider, scope }: ProviderRowProps) {
  if (!provider.enabled) return <Badge>{t("common.switchedOff")}</Badge>;
  if (provider.usable) return <Badge tone="good">{provider.token === null && provider.needs_token && scope === "organisation" ? t("providers.readyWithTheServersKey") : t("providers.ready")}</Badge>;
  return <Badge>{provider.needs_token && provider.token === null ? t("providers.needsAKey") : t("providers.notSetUp")}</Badge>;
}

function Details({ provider, scope }: ProviderRowProps) {
  const change = useChangeProvider(scope, provider.name);
  const isBuiltIn = provider.kind === "built_in";
  const [isOn, wish] = useWished(provider.enabled, (enabled, options) => change.mutate({ enabled }, options));
  if (isBuiltIn) {
    return (
      <>
        <p className="text-sm text-muted">{t("providers.rulesOfOurOwnNotA")}</p>
        {scope === "server" && <TestProvider provider={provider} />}
      </>
    );
  }
  return (
    <>
      <div className="flex flex-col gap-1">
        <Checkbox label={t("providers.useDisplayName", { displayName: provider.display_name })} checked={isOn} onChange={(event) => wish(event.target.checked)} />
        {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
        {provider.token && provider.token_created_at && (
          <p className="text-sm text-muted">
            {rich("providers.theKeySpanWasSetRelativeTime", { span: <span className="font-mono">{provider.token}</span>, relativeTime: <RelativeTime date={provider.token_created_at} /> })}
          </p>
        )}
      </div>
      <KeyForm provider={provider} scope={scope} />
      <DefaultOffer provider={provider} />
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
          <span>{t("providers.removeDisplayNamePromptsThatNameIts", { displayName: provider.display_name })}</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && t("common.removing")} onClick={() => remove.mutate()}>
            {t("common.removeServer")}
          </Button>
          <Button small variant="quiet" onClick={() => setIsAsking(false)}>
            {t("common.keep")}
          </Button>
        </>
      ) : (
        <Button small variant="danger" onClick={() => setIsAsking(true)}>
          {t("providers.removeThisServer")}
        </Button>
      )}
      {remove.error && <ErrorNote what={t("common.itIsStillHere")} error={remove.error} />}
    </div>
  );
}
