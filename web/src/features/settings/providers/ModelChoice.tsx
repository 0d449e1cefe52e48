import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useChangeProvider } from "./useProviders";

import type { Provider, Scope } from "./useProviders";

const MANY = 12;

/** Which models are on, and which of them the agent offers. */
export function ModelChoice({ provider, scope }: { provider: Provider; scope: Scope }) {
  const available = provider.litellm_models_available;
  const [on, setOn] = useState(provider.litellm_models_enabled);
  const [chat, setChat] = useState(provider.litellm_models_chat_agent);
  const [find, setFind] = useState("");
  const change = useChangeProvider(scope, provider.name);
  const isSame = same(on, provider.litellm_models_enabled) && same(chat, provider.litellm_models_chat_agent);
  const shown = available.filter((name) => name.toLowerCase().includes(find.toLowerCase()));
  return (
    <section aria-label={t("providers.modelsOfDisplayName", { displayName: provider.display_name })} className="flex flex-col gap-2">
      {available.length > MANY && (
        <Input type="search" aria-label={t("providers.findAModel")} placeholder={t("providers.findAModel")} className="sm:max-w-64" value={find} onChange={(event) => setFind(event.target.value)} />
      )}
      {available.length > 0 && (
        // A region that scrolls must be reachable by keyboard; its checkboxes are.
        <div className="max-h-80 overflow-y-auto">
          <Table label={t("providers.modelsOfDisplayName", { displayName: provider.display_name })}>
            <thead>
              <tr>
                <Th>{t("common.model")}</Th>
                <Th className="w-20">{t("providers.on")}</Th>
                <Th className="w-24">{t("providers.forTheAgent")}</Th>
              </tr>
            </thead>
            <tbody>
              {shown.map((name) => (
                <Tr key={name}>
                  <Td className="font-mono text-sm wrap-anywhere">{name}</Td>
                  <Td>
                    <Checkbox hideLabel label={t("providers.nameIsOn", { name })} checked={on.includes(name)} onChange={() => setOn(toggled(on, name))} />
                  </Td>
                  <Td>
                    <Checkbox hideLabel label={t("providers.theAgentOffersName", { name })} checked={chat.includes(name)} onChange={() => setChat(toggled(chat, name))} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
      <div>
        <Button
          small
          variant="primary"
          busy={change.isPending && t("common.saving")}
          disabledBecause={isSame && t("common.nothingHasChanged")}
          onClick={() =>
            change.mutate(
              { litellm_models_enabled: on, litellm_models_chat_agent: chat },
              { onSuccess: () => toast(t("providers.savedTheModelsOfDisplayName", { displayName: provider.display_name })) },
            )
          }
        >
          {t("providers.saveModels")}
        </Button>
      </div>
      {scope === "server" && provider.custom && <OwnModels provider={provider} />}
    </section>
  );
}

/** A server of your own has the models that are named here; elsewhere they carry the server's name in front. */
function OwnModels({ provider }: { provider: Provider }) {
  const own = provider.litellm_models_available.map((name) => name.replace(`${provider.name}/`, ""));
  const [typed, setTyped] = useState(own.join(", "));
  const change = useChangeProvider("server", provider.name);
  const names = typed.split(",").map((name) => name.trim()).filter(Boolean);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ models: names }, { onSuccess: () => toast(t("providers.savedTheListOfModels")) });
      }}
    >
      <Field
        label={t("providers.modelsOfThisServer")}
        hint={t("providers.asTheServerCallsThemWith")}
        className="min-w-64 flex-1"
      >
        {(control) => <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <Button type="submit" small className="mb-6" busy={change.isPending && t("common.saving")} disabledBecause={!names.length && t("providers.typeTheNameOfAModel")}>
        {t("providers.saveList")}
      </Button>
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </form>
  );
}

function toggled(names: string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}

function same(one: string[], other: string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}
