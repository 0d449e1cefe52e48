import { useState } from "react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { useWished } from "@/lib/wished";

import { OpenableRow } from "../OpenableRow";

import { ServerTools } from "./ServerTools";
import { useChangeServer } from "./useServers";

import type { Server } from "./useServers";

/** One server: where it is; opened, its tools. */
export function ServerRow({ server, isUsable }: { server: Server; isUsable: boolean }) {
  return (
    <OpenableRow
      className="gap-4"
      head={
        <>
          <span className="font-medium">{server.name}</span>
          {!server.enabled && <Badge>{t("common.switchedOff")}</Badge>}
          <span className="ml-auto truncate text-sm text-muted max-sm:hidden">{server.url ?? t("servers.commandCommand", { command: server.command ?? "" })}</span>
        </>
      }
    >
      <Switch server={server} />
      <ServerTools server={server} isUsable={isUsable && server.enabled} />
      <Remove server={server} />
    </OpenableRow>
  );
}

function Switch({ server }: { server: Server }) {
  const { change } = useChangeServer(server.id);
  const [isOn, wish] = useWished(server.enabled, (enabled, options) => change.mutate({ enabled }, options));
  return (
    <div className="flex flex-col gap-1">
      <Checkbox label={t("servers.theAgentMayUseToolsOf", { name: server.name })} checked={isOn} onChange={(event) => wish(event.target.checked)} />
      {server.header_names.length > 0 && (
        <p className="text-sm text-muted">{t("servers.sentWithEveryCallAndNever", { headerNames: server.header_names.join(", ") })}</p>
      )}
      {change.error && <ErrorNote what={t("common.nothingWasChanged")} error={change.error} />}
    </div>
  );
}

function Remove({ server }: { server: Server }) {
  const [isAsking, setIsAsking] = useState(false);
  const { remove } = useChangeServer(server.id);
  return (
    <div>
      {remove.error && <ErrorNote what={t("servers.theServerWasNotRemoved")} error={remove.error} />}
      {isAsking ? (
        <span role="group" aria-label={t("servers.removeName", { name: server.name })} className="inline-flex flex-wrap items-center gap-2">
          <span className="text-sm text-muted">{t("servers.itsToolsAndTheRulesAbout")}</span>
          <Button small variant="danger" autoFocus busy={remove.isPending && t("common.removing")} onClick={() => remove.mutate()}>
            {t("common.removeServer")}
          </Button>
          <Button small variant="quiet" onClick={() => setIsAsking(false)}>
            {t("common.keep")}
          </Button>
        </span>
      ) : (
        <Button small variant="quiet" onClick={() => setIsAsking(true)}>
          {t("common.removeName", { name: server.name })}
        </Button>
      )}
    </div>
  );
}
