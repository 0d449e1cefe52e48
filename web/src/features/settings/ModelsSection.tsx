import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";

import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { api, ask } from "@/lib/api/client";
import { useDefaultModel, useModelNames, useSetDefaultModel } from "@/lib/api/models";
import type { Use } from "@/lib/api/models";
import { keys } from "@/lib/api/queries";
import { locale, t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { useWished } from "@/lib/wished";

import { Card } from "./Card";
import { LocalModels } from "./LocalModels";

export function ModelsSection() {
  return (
    <>
      <LocalModels />
      <DefaultModels />
      <Models />
    </>
  );
}

function DefaultModels() {
  return (
    <Card title={t("common.defaultModel")} about={t("settings.forPromptsAndConversationsThatName")}>
      <div className="grid gap-3 sm:grid-cols-2">
        <DefaultModel use="agent" label={t("settings.forTheAgent")} />
        <DefaultModel use="extraction" label={t("settings.forExtraction")} />
      </div>
    </Card>
  );
}

function DefaultModel({ use, label }: { use: Use; label: string }) {
  const { adminsOnly } = useRights();
  const { data: names, error } = useModelNames({ chat: use === "agent" });
  const { data: current, isPending } = useDefaultModel(use);
  const change = useSetDefaultModel();
  const [shown, wish] = useWished(current ?? null, (model, options) => change.mutate({ model, use_for: use }, options));
  return (
    <div className="flex flex-col gap-2">
      {error && <ErrorNote error={error} />}
      <Field label={label} hint={adminsOnly || undefined}>
        {(control) => (
          <Select {...control} disabled={Boolean(adminsOnly) || isPending} value={shown ?? ""} onChange={(event) => wish(event.target.value || null)}>
            <option value="">{t("settings.leaveItToTheServer")}</option>
            {current && !names?.includes(current) && <option value={current}>{t("settings.currentCannotBeCalledNow", { current })}</option>}
            {names?.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {change.error && <ErrorNote what={t("settings.theDefaultIsTheSameAs")} error={change.error} />}
    </div>
  );
}

/** All models that can run, with what the server says about them. */
function useCatalogue() {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.models(id), "catalogue"],
    queryFn: async () => {
      const list = (query: { chat_agent_only?: boolean; ocr_only?: boolean }) =>
        ask(api.GET("/v0/account/llm/models", { params: { query } }));
      const [all, chat, seeing] = await Promise.all([list({}), list({ chat_agent_only: true }), list({ ocr_only: true })]);
      const names = (found: typeof all): Set<string> => new Set(found.models.map((model) => model.name));
      return { models: all.models, chat: names(chat), seeing: names(seeing) };
    },
    staleTime: 30_000,
  });
}

function Models() {
  const { data, error, refetch } = useCatalogue();
  if (error) return <ErrorNote what={t("settings.theModelsCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("settings.theModels")} />;
  return (
    <section aria-label={t("settings.modelsThatCanRun")} className="flex flex-col gap-2">
      <h2 className="text-base">{t("settings.modelsThatCanRun")}</h2>
      <p className="text-sm text-muted">{t("settings.pricesAreInUsDollarsFor")}</p>
      <Table label={t("common.models")}>
        <thead>
          <tr>
            <Th>{t("common.model")}</Th>
            <Th className="max-md:hidden">{t("settings.provider")}</Th>
            <Th className="text-right">{t("settings.in")}</Th>
            <Th className="text-right">{t("settings.out")}</Th>
            <Th className="text-right max-sm:hidden">{t("settings.readsUpTo")}</Th>
            <Th className="text-right max-lg:hidden">{t("settings.writesUpTo")}</Th>
            <Th className="max-sm:hidden">{t("common.agent")}</Th>
            <Th className="max-sm:hidden">{t("settings.seesImages")}</Th>
          </tr>
        </thead>
        <tbody>
          {data.models.map((model) => (
            <Tr key={model.name}>
              <Td>
                <span className="font-medium">{model.name}</span>
                {model.description && <span className="block max-w-80 truncate text-xs text-muted" title={model.description}>{model.description}</span>}
              </Td>
              <Td className="max-md:hidden">{model.provider_display_name}</Td>
              <Td className="text-right">{price(model.cost_per_1m_input_tokens)}</Td>
              <Td className="text-right">{price(model.cost_per_1m_output_tokens)}</Td>
              <Td className="text-right max-sm:hidden">{tokens(model.max_input_tokens)}</Td>
              <Td className="text-right max-lg:hidden">{tokens(model.max_output_tokens)}</Td>
              <Td className="max-sm:hidden">
                <Mark on={data.chat.has(model.name)} />
              </Td>
              <Td className="max-sm:hidden">
                <Mark on={data.seeing.has(model.name)} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function Mark({ on }: { on: boolean }) {
  return on ? (
    <span className="inline-flex items-center gap-1">
      <Check size={14} aria-hidden />{" "}{t("settings.yes")}
    </span>
  ) : (
    <span className="text-muted">{t("settings.no")}</span>
  );
}

function price(dollars: number): string {
  return dollars === 0 ? t("settings.free") : dollars.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 3 });
}

function tokens(count: number): string {
  return count >= 1_000_000 ? `${+(count / 1_000_000).toFixed(1)} M` : count >= 1000 ? `${Math.round(count / 1000)} k` : String(count);
}
