import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { useAddServer } from "./useServers";

const ADDRESS = "";

/** A server at an address, or one that is started by a command which the operator allows. */
export function AddServer({ commands, onDone }: { commands: readonly string[]; onDone: () => void }) {
  const [name, setName] = useState("");
  const [command, setCommand] = useState(ADDRESS);
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const add = useAddServer();
  const atAddress = command === ADDRESS;
  const reach = atAddress ? { url: url.trim(), ...(secret && { headers: { Authorization: `Bearer ${secret}` } }) } : { command };
  const send = (): void =>
    add.mutate(
      { name: name.trim(), ...reach },
      {
        onSuccess: () => {
          toast(t("servers.addedNameAskItForIts", { name: name.trim() }));
          onDone();
        },
      },
    );
  return (
    <form
      aria-label={t("servers.addAServer")}
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t("common.name")} hint={t("servers.smallLettersDigitsAndItsTools")}>
          {(control) => <Input {...control} required autoFocus autoComplete="off" maxLength={24} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {commands.length > 0 && (
          <Field label={t("servers.itIsReached")} hint={t("servers.commandsAreThoseThatTheOperator")}>
            {(control) => (
              <Select {...control} value={command} onChange={(event) => setCommand(event.target.value)}>
                <option value={ADDRESS}>{t("servers.atAnAddress")}</option>
                {commands.map((each) => (
                  <option key={each} value={each}>
                    {t("servers.byTheCommandEach", { each })}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {atAddress && (
          <>
            <Field label={t("common.address")}>
              {(control) => <Input {...control} required type="url" placeholder="http://127.0.0.1:8080/mcp" value={url} onChange={(event) => setUrl(event.target.value)} />}
            </Field>
            <Field label={t("servers.token")} hint={t("servers.ifTheServerWantsOneIt")}>
              {(control) => <Input {...control} type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />}
            </Field>
          </>
        )}
      </div>
      {add.error && <ErrorNote what={t("servers.theServerWasNotAdded")} error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={add.isPending && t("common.adding")}>
          {t("common.addServer")}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
