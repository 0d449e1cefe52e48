import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";

import { Field, Select } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { api, ask } from "@/lib/api/client";
import { useDefaultModel, useModelNames } from "@/lib/api/models";
import { keys } from "@/lib/api/queries";
import { useOrganization } from "@/lib/organization";
import { useRights } from "@/lib/rights";
import { inOrder, useWished } from "@/lib/wished";

import { Card } from "./Card";

export function ModelsSection() {
  return (
    <>
      <DefaultModel />
      <Models />
    </>
  );
}

function DefaultModel() {
  const { id } = useOrganization();
  const { adminsOnly } = useRights();
  const queryClient = useQueryClient();
  const { data: names, error } = useModelNames();
  const { data: current, isPending } = useDefaultModel();
  const change = useMutation({
    ...inOrder(`default model of ${id}`),
    mutationFn: (model: string | null) =>
      ask(api.PUT("/v0/orgs/{organization_id}/llm/default_model", { params: { path: { organization_id: id } }, body: { model } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.models(id) }),
  });
  const [shown, wish] = useWished(current ?? null, change.mutate);
  return (
    <Card title="Default model" about="For prompts and conversations that name no model, or one that cannot be called.">
      {error && <ErrorNote error={error} />}
      <Field label="Model" hideLabel hint={adminsOnly || undefined} className="sm:max-w-80">
        {(control) => (
          <Select {...control} disabled={Boolean(adminsOnly) || isPending} value={shown ?? ""} onChange={(event) => wish(event.target.value || null)}>
            <option value="">Leave it to the server</option>
            {current && !names?.includes(current) && <option value={current}>{current} (cannot be called now)</option>}
            {names?.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {change.error && <ErrorNote what="The default is the same as before." error={change.error} />}
    </Card>
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
  if (error) return <ErrorNote what="The models cannot be shown." error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the models" />;
  return (
    <section aria-label="Models that can run" className="flex flex-col gap-2">
      <h2 className="text-base">Models that can run</h2>
      <p className="text-sm text-muted">Prices are in US dollars for a million tokens. Set a key under Providers and keys to have more.</p>
      <Table label="Models">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th className="max-md:hidden">Provider</Th>
            <Th className="text-right">In</Th>
            <Th className="text-right">Out</Th>
            <Th className="text-right max-sm:hidden">Reads up to</Th>
            <Th className="text-right max-lg:hidden">Writes up to</Th>
            <Th className="max-sm:hidden">Agent</Th>
            <Th className="max-sm:hidden">Sees images</Th>
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
      <Check size={14} aria-hidden /> yes
    </span>
  ) : (
    <span className="text-muted">no</span>
  );
}

function price(dollars: number): string {
  return dollars === 0 ? "free" : dollars.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 3 });
}

function tokens(count: number): string {
  return count >= 1_000_000 ? `${+(count / 1_000_000).toFixed(1)} M` : count >= 1000 ? `${Math.round(count / 1000)} k` : String(count);
}
