import { useState } from "react";

import { Button } from "@/components/Button";
import { Checkbox, Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { Table, Td, Th, Tr } from "@/components/Table";
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
    <section aria-label={`Models of ${provider.display_name}`} className="flex flex-col gap-2">
      {available.length > MANY && (
        <Input type="search" aria-label="Find a model" placeholder="Find a model" className="sm:max-w-64" value={find} onChange={(event) => setFind(event.target.value)} />
      )}
      {available.length > 0 && (
        // A region that scrolls must be reachable by keyboard; its checkboxes are.
        <div className="max-h-80 overflow-y-auto">
          <Table label={`Models of ${provider.display_name}`}>
            <thead>
              <tr>
                <Th>Model</Th>
                <Th className="w-20">On</Th>
                <Th className="w-24">For the agent</Th>
              </tr>
            </thead>
            <tbody>
              {shown.map((name) => (
                <Tr key={name}>
                  <Td className="font-mono text-sm wrap-anywhere">{name}</Td>
                  <Td>
                    <Checkbox hideLabel label={`${name} is on`} checked={on.includes(name)} onChange={() => setOn(toggled(on, name))} />
                  </Td>
                  <Td>
                    <Checkbox hideLabel label={`The agent offers ${name}`} checked={chat.includes(name)} onChange={() => setChat(toggled(chat, name))} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
      <div>
        <Button
          small
          variant="primary"
          busy={change.isPending && "Saving"}
          disabledBecause={isSame && "Nothing has changed."}
          onClick={() =>
            change.mutate(
              { litellm_models_enabled: on, litellm_models_chat_agent: chat },
              { onSuccess: () => toast(`Saved the models of ${provider.display_name}.`) },
            )
          }
        >
          Save models
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
        change.mutate({ models: names }, { onSuccess: () => toast("Saved the list of models.") });
      }}
    >
      <Field
        label="Models of this server"
        hint="As the server calls them, with commas between."
        className="min-w-64 flex-1"
      >
        {(control) => <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <Button type="submit" small className="mb-6" busy={change.isPending && "Saving"} disabledBecause={!names.length && "Type the name of a model first."}>
        Save list
      </Button>
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
    </form>
  );
}

function toggled(names: string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}

function same(one: string[], other: string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}
