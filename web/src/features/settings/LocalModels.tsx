import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, X, Zap } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { duration } from "@/lib/agent/words";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useSetDefaultModel } from "@/lib/api/models";
import { keys } from "@/lib/api/queries";
import { fileSize } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { toast } from "@/lib/toasts";

import { Card } from "./Card";

type LocalModel = Schemas["LocalModelOut"];
type Tick = Schemas["ModelTickOut"];

const ABILITIES: Record<Tick["ability"], string> = {
  get speaks() { return t("settings.speaks"); },
  get calls_tools() { return t("settings.callsTools"); },
  get keeps_schema() { return t("settings.keepsASchema"); },
  get sees_pictures() { return t("settings.seesPictures"); },
};

/** Models of servers that run on the server's machine: what they can do, and one click to use one. */
export function LocalModels() {
  const { id } = useOrganization();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.models(id), "local"],
    queryFn: () => ask(api.GET("/v0/orgs/{organization_id}/llm/local", { params: { path: { organization_id: id } } })),
  });
  if (data && !data.looks && data.models.length === 0) return null;
  return (
    <Card title={t("settings.onThisMachine")} about={t("settings.ollamaLlamaCppAndOthersAreFound")}>
      {error && <ErrorNote what={t("settings.theModelsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {data && data.models.length === 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="text-sm">{t("settings.noServerWasFound")}</p>
          <Button small onClick={() => void refetch()}>{t("settings.lookAgain")}</Button>
        </div>
      )}
      {data && data.models.length > 0 && (
        <ul aria-label={t("settings.onThisMachine")} className="flex flex-col divide-y">
          {data.models.map((model) => (
            <Row key={model.name} model={model} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ model }: { model: LocalModel }) {
  const { id } = useOrganization();
  const { adminsOnly } = useRights();
  const use = useSetDefaultModel();
  const check = useMutation({
    mutationFn: () => ask(api.POST("/v0/orgs/{organization_id}/llm/check", { params: { path: { organization_id: id } }, body: { model: model.name } })),
  });
  const choose = (use_for: "agent" | "extraction" | "both"): void =>
    use.mutate({ model: model.name, use_for }, { onSuccess: () => toast(t("settings.nameIsTheDefaultNow", { name: model.name })) });
  const can = [
    model.size_bytes && fileSize(model.size_bytes),
    model.calls_tools && t("settings.callsTools"),
    model.sees_images && t("settings.seesPictures"),
  ].filter(Boolean);
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{model.name}</span>
        {model.default_for.map((each) => (
          <Badge key={each} tone="good">{each === "agent" ? t("settings.defaultForTheAgent") : t("settings.defaultForExtraction")}</Badge>
        ))}
        <span className="text-sm text-muted">{[model.server, ...can].join(" · ")}</span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button small variant="primary" disabledBecause={adminsOnly || (!model.for_agent && t("settings.itDoesNotCallTools"))} onClick={() => choose("both")}>{t("settings.useForBoth")}</Button>
        <Button small disabledBecause={adminsOnly || (!model.for_agent && t("settings.itDoesNotCallTools"))} onClick={() => choose("agent")}>{t("settings.useForTheAgent")}</Button>
        <Button small disabledBecause={adminsOnly} onClick={() => choose("extraction")}>{t("settings.useForExtraction")}</Button>
        <Button small variant="quiet" icon={Zap} disabledBecause={adminsOnly} busy={check.isPending && t("common.asking")} onClick={() => check.mutate()}>{t("settings.check")}</Button>
      </div>
      <div role="status">
        {check.data && (
          <ul aria-label={t("settings.whatItCanDo")} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {check.data.ticks.map((tick) => (
              <li key={tick.ability} className="inline-flex items-center gap-1">
                {tick.ok ? <Check size={14} aria-hidden className="text-good" /> : <X size={14} aria-hidden className="text-muted" />}
                {t("settings.abilityYesOrNo", { ability: ABILITIES[tick.ability], answer: tick.ok ? t("settings.yes") : t("settings.no") })}
                <span className="text-muted">{duration(tick.latency_ms)}</span>
              </li>
            ))}
          </ul>
        )}
        {check.data?.error && <p className="text-sm text-bad wrap-anywhere">{check.data.error}</p>}
      </div>
      {check.error && <ErrorNote what={t("providers.theTestWasNotMade")} error={check.error} />}
      {use.error && <ErrorNote what={t("settings.theDefaultIsTheSameAs")} error={use.error} />}
    </li>
  );
}
