import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
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
          toast(`Added ${name.trim()}. Ask it for its tools, and choose those that the agent may use.`);
          onDone();
        },
      },
    );
  return (
    <form
      aria-label="Add a server"
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Name" hint="Small letters, digits and -. Its tools are called name/tool.">
          {(control) => <Input {...control} required autoFocus autoComplete="off" maxLength={24} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {commands.length > 0 && (
          <Field label="It is reached" hint="Commands are those that the operator allows.">
            {(control) => (
              <Select {...control} value={command} onChange={(event) => setCommand(event.target.value)}>
                <option value={ADDRESS}>at an address</option>
                {commands.map((each) => (
                  <option key={each} value={each}>
                    by the command {each}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {atAddress && (
          <>
            <Field label="Address">
              {(control) => <Input {...control} required type="url" placeholder="http://127.0.0.1:8080/mcp" value={url} onChange={(event) => setUrl(event.target.value)} />}
            </Field>
            <Field label="Token" hint="If the server wants one. It is stored sealed and never shown again.">
              {(control) => <Input {...control} type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />}
            </Field>
          </>
        )}
      </div>
      {add.error && <ErrorNote what="The server was not added." error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={add.isPending && "Adding"}>
          Add server
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
