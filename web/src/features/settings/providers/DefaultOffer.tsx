import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { useDefaultModel, useSetDefaultModel } from "@/lib/api/models";
import { t } from "@/lib/i18n";

import type { Provider } from "./useProviders";

/** Which model works where none is named, and the offer to take one of a provider that is connected. */
export function DefaultOffer({ provider }: { provider: Provider }) {
  const { data: current } = useDefaultModel();
  const set = useSetDefaultModel();
  const own = provider.litellm_models_enabled;
  const offered = provider.litellm_models_chat_agent.find((name) => own.includes(name)) ?? own[0];
  if (!provider.usable || !offered || current === undefined) return null;
  const isOwn = current !== null && own.includes(current);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-canvas px-3 py-2">
      <p role="status" className="min-w-48 flex-1">
        {current ? t("providers.defaultModelIsName", { name: current }) : t("providers.noDefaultModelIsChosen")}
      </p>
      {!isOwn && (
        <Button small variant="primary" busy={set.isPending && t("common.saving")} onClick={() => set.mutate({ model: offered, use_for: "both" })}>
          {t("providers.useNameByDefault", { name: offered })}
        </Button>
      )}
      {set.error && <ErrorNote what={t("common.nothingWasChanged")} error={set.error} />}
    </div>
  );
}
