import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";

import { ServerTools } from "./ServerTools";
import { useChangeServer } from "./useServers";

import type { Server } from "./useServers";

/** One server: where it is; opened, its tools. */
export function ServerRow({ server, isUsable }: { server: Server; isUsable: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <h2 className="text-base font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-left hover:bg-canvas focus-visible:-outline-offset-2"
        >
          <Arrow size={15} aria-hidden className="shrink-0 text-muted" />
          <span className="font-medium">{server.name}</span>
          {!server.enabled && <Badge>switched off</Badge>}
          <span className="ml-auto truncate text-sm text-muted max-sm:hidden">{server.url ?? `command ${server.command ?? ""}`}</span>
        </button>
      </h2>
      {isOpen && (
        <div id={id} className="flex flex-col gap-4 px-4 pt-1 pb-4 sm:pl-10">
          <Switch server={server} />
          <ServerTools server={server} isUsable={isUsable && server.enabled} />
          <Remove server={server} />
        </div>
      )}
    </li>
  );
}

function Switch({ server }: { server: Server }) {
  const { change } = useChangeServer(server.id);
  const isOn = change.isPending ? change.variables.enabled === true : server.enabled;
  return (
    <div className="flex flex-col gap-1">
      <Checkbox label={`The agent may use tools of ${server.name}`} checked={isOn} onChange={(event) => change.mutate({ enabled: event.target.checked })} />
      {server.header_names.length > 0 && (
        <p className="text-sm text-muted">Sent with every call and never shown: {server.header_names.join(", ")}.</p>
      )}
      {change.error && <ErrorNote what="Nothing was changed." error={change.error} />}
    </div>
  );
}

function Remove({ server }: { server: Server }) {
  const [isAsking, setIsAsking] = useState(false);
  const { remove } = useChangeServer(server.id);
  return (
    <div>
      {remove.error && <ErrorNote what="The server was not removed." error={remove.error} />}
      {isAsking ? (
        <span role="group" aria-label={`Remove ${server.name}?`} className="inline-flex flex-wrap items-center gap-2">
          <span className="text-sm text-muted">Its tools and the rules about them go with it.</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && "Removing"} onClick={() => remove.mutate()}>
            Remove server
          </Button>
          <Button small variant="quiet" onClick={() => setIsAsking(false)}>
            Keep
          </Button>
        </span>
      ) : (
        <Button small variant="quiet" onClick={() => setIsAsking(true)}>
          Remove {server.name}
        </Button>
      )}
    </div>
  );
}
