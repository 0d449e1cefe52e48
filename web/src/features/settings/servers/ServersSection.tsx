import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { ErrorNote, Loading } from "@/components/Notes";
import { useCommands } from "@/lib/commands";
import { rich, t } from "@/lib/i18n";
import { useRights } from "@/lib/rights";

import { AddServer } from "./AddServer";
import { ServerRow } from "./ServerRow";
import { useServers } from "./useServers";

/** MCP servers of others whose tools the agent may use. */
export function ServersSection() {
  const { adminsOnly } = useRights();
  return adminsOnly ? <p className="text-muted">{t("servers.administratorsOfTheOrganisationAddServers")}</p> : <Servers />;
}

function Servers() {
  const [isAdding, setIsAdding] = useState(false);
  const { data, error, refetch } = useServers();
  const isOn = data?.enabled === true;
  useCommands(isOn ? [{ id: "servers.add", label: t("servers.addAnMcpServer"), words: t("servers.toolsWords"), run: () => setIsAdding(true) }] : []);
  if (error) return <ErrorNote what={t("servers.theServersCannotBeShown")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={t("servers.theServers")} />;
  return (
    <>
      <p className="text-muted">
        {t("servers.theAgentCanUseToolsOf")}
      </p>
      {!isOn && (
        <p className="rounded-md bg-sunken px-3 py-2">
          {rich("servers.mcpServersAreSwitchedOffOn", { code: <code className="font-mono text-sm">mcp.enabled</code> })}
        </p>
      )}
      {data.servers.length > 0 && (
        <ul aria-label={t("common.mcpServers")} className="flex flex-col divide-y rounded-lg border bg-surface">
          {data.servers.map((server) => (
            <ServerRow key={server.id} server={server} isUsable={isOn} />
          ))}
        </ul>
      )}
      {isOn && data.servers.length === 0 && !isAdding && <p className="text-muted">{t("servers.thereIsNoServerYet")}</p>}
      {isOn &&
        (isAdding ? (
          <AddServer commands={data.commands} onDone={() => setIsAdding(false)} />
        ) : (
          <div>
            <Button icon={Plus} onClick={() => setIsAdding(true)}>
              {t("servers.addAServer")}
            </Button>
          </div>
        ))}
    </>
  );
}
