import { RefreshCw } from "lucide-react";

import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Checkbox } from "@/components/Field";
import { ErrorNote, Loading } from "@/components/Notes";
import { t } from "@/lib/i18n";
import { useWished } from "@/lib/wished";

import { useServerTools, useToolChoice } from "./useServers";

import type { Server, ServerTool } from "./useServers";

interface ServerToolsProps {
  server: Server;
  /** Whether the server can be asked at all. */
  isUsable: boolean;
}

/** What the server offers, word for word, and which of it the agent may use. */
export function ServerTools({ server, isUsable }: ServerToolsProps) {
  const { listed, refresh } = useServerTools(server.id);
  const { data, error, refetch } = listed;
  const off = !isUsable && t("servers.theServerIsSwitchedOff");
  return (
    <section aria-label={t("servers.toolsOfName", { name: server.name })} className="flex flex-col gap-2">
      {error && <ErrorNote what={t("servers.theToolsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what={t("servers.theTools")} />}
      {data?.tools.length === 0 && <p className="text-sm text-muted">{t("servers.itWasNotAskedForIts")}</p>}
      {data && data.tools.length > 0 && (
        <ul className="flex flex-col divide-y rounded-md border">
          {data.tools.map((tool) => (
            <ToolItem key={tool.id} serverId={server.id} tool={tool} />
          ))}
        </ul>
      )}
      {refresh.error && <ErrorNote what={t("servers.couldNotListTheServersTools")} error={refresh.error} />}
      <div>
        <Button small icon={RefreshCw} busy={refresh.isPending && t("common.asking")} disabledBecause={off} onClick={() => refresh.mutate()}>
          {t("servers.askForItsTools")}
        </Button>
      </div>
    </section>
  );
}

function ToolItem({ serverId, tool }: { serverId: string; tool: ServerTool }) {
  const decide = useToolChoice(serverId, tool.id);
  const [shown, wish] = useWished(tool, ({ state, digest, read_only }, options) =>
    decide.mutate({ digest: state === "offered" ? digest : null, read_only }, options),
  );
  const isOffered = shown.state === "offered";
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-sm wrap-anywhere">{tool.name}</span>
        {shown.state === "changed" && <Badge tone="warm">{t("servers.saysSomethingElseNow")}</Badge>}
        <Button
          small
          className="ml-auto"
          variant={isOffered ? "quiet" : "plain"}
          aria-label={isOffered ? t("servers.switchOffName", { name: tool.name }) : t("servers.offerName", { name: tool.name })}
          onClick={() => wish({ ...tool, state: isOffered ? "off" : "offered", read_only: false })}
        >
          {isOffered ? t("servers.switchOff") : t("servers.offer")}
        </Button>
      </div>
      <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">{tool.description || t("servers.noDescription")}</p>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted hover:text-ink">{t("servers.whatItTakes")}</summary>
        <pre className="rounded-md bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {JSON.stringify(tool.parameters, null, 2)}
        </pre>
      </details>
      {isOffered && (
        <Checkbox
          label={t("servers.itOnlyReadsSoACall")}
          checked={shown.read_only}
          onChange={(event) => wish({ ...tool, state: "offered", read_only: event.target.checked })}
        />
      )}
      {decide.error && <ErrorNote what={t("common.nothingWasChanged")} error={decide.error} />}
    </li>
  );
}
